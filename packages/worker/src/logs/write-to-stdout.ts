let isQuiet = false;

/** Writes to stdout; when nobody reads it any more, jobs run on without log lines. */
export function writeToStdout(text: string): void {
  if (!isQuiet) process.stdout.on('error', () => {});
  isQuiet = true;
  process.stdout.write(text);
}
