import type { Duration, JobContract } from '@duework/contracts';
import type { LookedAt } from '../to-queue.js';
import { describeExpected, describeSeen } from './describe-enqueued.js';
import type { ExpectedJob } from './expected-job.js';
import { fail } from './fail.js';
import { findEnqueued, findWithin, isMeant } from './find-enqueued.js';

export interface RefuteEnqueuedOptions<C extends JobContract> extends ExpectedJob<C> {
  /** None may come for so long either; default: looks once. */
  readonly within?: Duration;
}

/**
 * Fails the test if such a job was enqueued, even if it has ended since. `db` may be a transaction. Throws
 * `AssertionError`, which names them.
 */
export async function refuteEnqueued<C extends JobContract>(
  db: LookedAt,
  contract: C,
  { within = '0s', ...expected }: RefuteEnqueuedOptions<C> = {},
): Promise<void> {
  const seen = await findWithin(
    () => findEnqueued(db, contract, expected),
    (jobs) => jobs.some(isMeant),
    within,
  );
  const meant = seen.filter(isMeant);
  if (meant.length > 0) fail(`Expected no ${describeExpected(contract, expected)}.\n${describeSeen(meant)}`);
}
