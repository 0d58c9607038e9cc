import { retainDefault } from '../sql/retain-default.js';
import type { Retention } from '../ports/upkeep.js';
import { retainAnswers } from '../sql/retain-answers.js';
import { retainExpiredKeys } from '../sql/retain-expired-keys.js';
import { retainHistory } from '../sql/retain-history.js';
import { retainRows } from '../sql/retain-rows.js';
import { retainWithRuns } from '../sql/retain-with-runs.js';
import type { Queryable } from '../sql/sql.js';
import { inBatches } from './in-batches.js';

/**
 * Removes what was kept for long enough, and returns how many daily partitions it dropped. Each statement is a
 * transaction of its own, so this may end after any of them. Keys and effects go before the history of their runs: an
 * enqueue with a key whose run is gone would return a run that nobody finds.
 */
export async function retainRuns(db: Queryable, keep: Retention, signal?: AbortSignal): Promise<number> {
  await inBatches(signal, (batch) => retainExpiredKeys(db, batch));
  await inBatches(signal, (batch) => retainAnswers(db, batch));
  await inBatches(signal, (batch) => retainWithRuns(db, 'job_keys', keep, batch));
  await inBatches(signal, (batch) => retainWithRuns(db, 'job_effects', keep, batch));
  await inBatches(signal, (batch) => retainDefault(db, keep, batch));
  for (const [table, days] of [
    ['job_history_dead', keep.keepDeadDays],
    ['job_history_cancelled', keep.keepDays],
    ['job_history_late', keep.keepDays],
    ['job_attempts_late', Math.max(keep.keepDays, keep.keepDeadDays)],
  ] as const)
    await inBatches(signal, (batch) => retainRows(db, table, days, batch));
  let total = 0;
  for (;;) {
    const dropped = await retainHistory(db, keep);
    total += dropped;
    if (dropped === 0 || signal?.aborted === true) return total;
  }
}
