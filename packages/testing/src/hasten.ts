import type { JobStatus, Queryable } from '@duework/queue-core';
import type { FakeClock } from './create-fake-clock.js';
import { endSleeps } from './sql/end-sleeps.js';
import { isQueue, toQueue, type LookedAt } from './to-queue.js';

const WAITING: readonly JobStatus[] = ['queued', 'failed'];

/**
 * Makes runs that wait for later due. In memory, time moves on to the next run; a database's time cannot be moved, so
 * an operator's "run it now" makes the runs due, which also makes a failed one queued, and what handlers sleep for is over.
 */
export async function hasten(source: LookedAt, clock: FakeClock | undefined, db?: Queryable): Promise<void> {
  const nextRunAt = 'nextRunAt' in source ? (source.nextRunAt as () => Date | null)() : undefined;
  if (clock !== undefined && nextRunAt instanceof Date)
    return clock.advance(Math.max(0, nextRunAt.getTime() - clock.now().getTime()));
  if (db !== undefined || !isQueue(source)) await endSleeps(db ?? (source as Queryable));
  const queue = toQueue(source);
  for (const status of WAITING) {
    const { jobs } = await queue.findJobs({ status, limit: 200 });
    for (const job of jobs) await queue.retryJob(job.id);
  }
}
