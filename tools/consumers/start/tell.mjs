/** Says that the first job has begun, with the processor time of this process until then, in milliseconds. */
export function tell() {
  const { user, system } = process.cpuUsage();
  process.stderr.write(`first job ${(user + system) / 1_000}\n`);
}
