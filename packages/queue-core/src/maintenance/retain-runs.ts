import { retainAudit, retainBulkActions } from '../sql/upkeep/retain-audit.js';
import { retainDefault } from '../sql/upkeep/retain-default.js';
import type { Retention } from '../ports/upkeep.js';
import { retainAnswers } from '../sql/upkeep/retain-answers.js';
import { retainExpiredKeys } from '../sql/upkeep/retain-expired-keys.js';
import { retainFigures } from '../sql/upkeep/retain-figures.js';
import { retainHistory } from '../sql/upkeep/retain-history.js';
import { retainPauses } from '../sql/upkeep/retain-pauses.js';
import { retainRows } from '../sql/upkeep/retain-rows.js';
import { retainWithRuns } from '../sql/upkeep/retain-with-runs.js';
import type { Queryable } from '../sql/sql.js';
import { inBatches } from './in-batches.js';

/** More than a year, so that an audit of the year before finds it whole. */
const KEEP_AUDIT_DAYS = 400;

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
  await retainPauses(db);
  await inBatches(signal, (batch) => retainFigures(db, batch));
  const auditDays = keep.keepAuditDays ?? KEEP_AUDIT_DAYS;
  await inBatches(signal, (batch) => retainAudit(db, auditDays, batch));
  await inBatches(signal, (batch) => retainBulkActions(db, auditDays, batch));
  let total = 0;
  for (;;) {
    const dropped = await retainHistory(db, keep);
    total += dropped;
    if (dropped === 0 || signal?.aborted === true) return total;
  }
}
