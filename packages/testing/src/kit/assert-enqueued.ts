import type { Duration, JobContract } from '@duework/contracts';
import type { Job } from '@duework/queue-core';
import type { LookedAt } from '../to-queue.js';
import { describeExpected, describeSeen } from './describe-enqueued.js';
import type { ExpectedJob } from './expected-job.js';
import { fail } from './fail.js';
import { findEnqueued, findWithin, isMeant } from './find-enqueued.js';

export interface AssertEnqueuedOptions<C extends JobContract> extends ExpectedJob<C> {
  /** Exactly so many; default: at least one. */
  readonly count?: number;
  /** Waits this long for it; default: it must exist already. */
  readonly within?: Duration;
}

/**
 * Fails the test unless such a job was enqueued, even if it has ended since. `db` may be a transaction: its jobs are
 * seen before it commits. Returns the matching jobs, in the order in which they were enqueued.
 *
 * Throws `AssertionError`, which lists the jobs found.
 */
export async function assertEnqueued<C extends JobContract>(
  db: LookedAt,
  contract: C,
  { count, within = '0s', ...expected }: AssertEnqueuedOptions<C> = {},
): Promise<Job[]> {
  const isEnough = (found: number): boolean => (count === undefined ? found > 0 : found === count);
  const seen = await findWithin(
    () => findEnqueued(db, contract, expected),
    (jobs) => isEnough(jobs.filter(isMeant).length),
    within,
  );
  const meant = seen.filter(isMeant);
  if (isEnough(meant.length)) return meant.map(({ job }) => job);
  const wanted = describeExpected(contract, expected);
  const wrong =
    count === undefined ? `No ${wanted} was enqueued.` : `Expected ${count} of ${wanted}, found ${meant.length}.`;
  return fail(`${wrong}\n${describeSeen(seen)}`);
}
