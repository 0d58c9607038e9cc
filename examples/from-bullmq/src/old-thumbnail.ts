/** The sandboxed processor of the old application: BullMQ runs this file in a process of its own. */
import type { SandboxedJob } from 'bullmq';

export default async function thumbnail(job: SandboxedJob<{ readonly side: number }>) {
  const { side } = job.data;
  // as native code does that crashes
  if (side === 0) process.exit(3);
  await job.updateProgress(100);
  return { pixels: side * side, pid: process.pid };
}
