import { checkJoined, expectedTransaction } from '../join-transaction.js';
import type { EnqueuedJob, NewRun } from '../ports/producer.js';
import { findStatuses } from '../sql/find-statuses.js';
import { insertRuns } from '../sql/insert-runs.js';
import type { Queryable } from '../sql/sql.js';
import { takeQueuesToWake } from '../take-queues-to-wake.js';

/**
 * Writes runs in one statement, all or none, and returns them in their order. Throws `not_in_transaction` where the
 * statement left the caller's transaction.
 */
export async function writeRuns(db: Queryable, runs: readonly NewRun[]): Promise<EnqueuedJob[]> {
  const expected = await expectedTransaction(db);
  const wake = takeQueuesToWake(db, runs, expected !== null);
  const inserted = await insertRuns(db, runs, { expectedTransaction: expected, wake });
  checkJoined(expected, inserted.transactionId);
  const earlier = inserted.runs.filter((run) => run.runAtMs === null).map((run) => run.id);
  // a separate statement, because another session may have committed the run while the first one waited for its key
  const found = new Map((earlier.length === 0 ? [] : await findStatuses(db, earlier)).map((row) => [row.id, row]));
  return inserted.runs.map(({ id, runAtMs }, index) => {
    const { type } = runs[index]!;
    if (runAtMs !== null) return { id, type, status: 'queued', runAt: new Date(runAtMs), isDeduplicated: false };
    const { status, run_at_ms } = found.get(id)!;
    return { id, type, status, runAt: new Date(run_at_ms), isDeduplicated: true };
  });
}
