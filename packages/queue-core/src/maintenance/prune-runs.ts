import { noteRetention } from '../sql/upkeep/note-retention.js';
import { pruneAudit, pruneBulkActions } from '../sql/upkeep/prune-audit.js';
import { pruneBatches } from '../sql/upkeep/prune-batches.js';
import { pruneCarriedJobs } from '../sql/upkeep/prune-carried-jobs.js';
import { pruneDefault } from '../sql/upkeep/prune-default.js';
import type { Retention } from '../ports/upkeep.js';
import { pruneAnswers } from '../sql/upkeep/prune-answers.js';
import { pruneExpiredKeys } from '../sql/upkeep/prune-expired-keys.js';
import { pruneEvents } from '../sql/upkeep/prune-events.js';
import { pruneFigures } from '../sql/upkeep/prune-figures.js';
import { pruneHistory, type PrunedDays } from '../sql/upkeep/prune-history.js';
import { prunePauses } from '../sql/upkeep/prune-pauses.js';
import { pruneRows, type DaylessTable, type RowPlace } from '../sql/upkeep/prune-rows.js';
import { pruneSignals } from '../sql/upkeep/prune-signals.js';
import { pruneWithRuns } from '../sql/upkeep/prune-with-runs.js';
import type { Queryable } from '@duework/sql';
import { BATCH, inBatches } from './in-batches.js';
import { pruneLines } from './prune-lines.js';

/** More than a year, so that an audit of the year before finds it whole. */
const KEEP_AUDIT_DAYS = 400;

const DAYLESS = ['job_history_dead', 'job_history_cancelled', 'job_history_late', 'job_attempts_late'] as const;

/**
 * Removes what was kept for long enough, and returns how many daily partitions it dropped. Each statement is a
 * transaction of its own, so this may end after any of them. Keys and effects go before the history of their runs: an
 * enqueue with a key whose run is gone would return a run that nobody finds. Steps and batches
 * go before both: as long as they are there, they keep the jobs that they name, with their keys and effects.
 */
export async function pruneRuns(db: Queryable, keep: Retention, signal?: AbortSignal): Promise<number> {
  await noteRetention(db, keep);
  await inBatches(signal, (batch) => pruneWithRuns(db, 'job_steps', keep, batch));
  await inBatches(signal, (batch) => pruneBatches(db, keep, batch));
  await inBatches(signal, (batch) => pruneExpiredKeys(db, batch));
  await inBatches(signal, (batch) => pruneAnswers(db, batch));
  await inBatches(signal, (batch) => pruneWithRuns(db, 'job_keys', keep, batch));
  await inBatches(signal, (batch) => pruneWithRuns(db, 'job_effects', keep, batch));
  await inBatches(signal, (batch) => pruneWithRuns(db, 'job_objects', keep, batch));
  await inBatches(signal, (batch) => pruneSignals(db, keep.keepDays, batch));
  await inBatches(signal, (batch) => pruneEvents(db, batch));
  await inBatches(signal, (batch) => pruneCarriedJobs(db, batch));
  await inBatches(signal, (batch) => pruneDefault(db, keep, batch));
  for (const table of DAYLESS) await pruneRowsOf(db, table, keep, signal);
  await prunePauses(db);
  await inBatches(signal, (batch) => pruneFigures(db, batch));
  const auditDays = keep.keepAuditDays ?? KEEP_AUDIT_DAYS;
  await inBatches(signal, (batch) => pruneAudit(db, auditDays, batch));
  await inBatches(signal, (batch) => pruneBulkActions(db, auditDays, batch));
  const dropped = await pruneDays(db, keep, signal);
  // last, because it takes its time
  await pruneLines(db, signal);
  return dropped;
}

async function pruneRowsOf(db: Queryable, table: DaylessTable, keep: Retention, signal?: AbortSignal): Promise<void> {
  let after: RowPlace | null = null;
  await inBatches(signal, async (batch) => {
    const { looked, upTo } = await pruneRows(db, table, keep, batch, after);
    after = upTo;
    return looked;
  });
}

async function pruneDays(db: Queryable, keep: Retention, signal?: AbortSignal): Promise<number> {
  let total = 0;
  let after: string | null = null;
  for (;;) {
    const { dropped, upTo }: PrunedDays = await pruneHistory(db, keep, after, BATCH);
    total += dropped;
    after = upTo;
    if ((dropped === 0 && upTo === null) || signal?.aborted === true) return total;
  }
}
