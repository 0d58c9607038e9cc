import type { JobStatus } from '@duework/queue-core';
import type { FakeClock } from './create-fake-clock.js';
import { toQueue, type LookedAt } from './to-queue.js';

const WAITING: readonly JobStatus[] = ['queued', 'failed'];

/**
 * Makes runs that wait for later due. In memory, time moves on to the next run; a database's time cannot be moved, so
 * an operator's "run it now" makes the runs due, which also makes a failed one queued.
 */
export async function hasten(source: LookedAt, clock: FakeClock | undefined): Promise<void> {
  const nextRunAt = 'nextRunAt' in source ? (source.nextRunAt as () => Date | null)() : undefined;
  if (clock !== undefined && nextRunAt instanceof Date)
    return clock.advance(Math.max(0, nextRunAt.getTime() - clock.now().getTime()));
  const queue = toQueue(source);
  for (const status of WAITING) {
    const { jobs } = await queue.findJobs({ status, limit: 200 });
    for (const job of jobs) await queue.retryJob(job.id);
  }
}
