import type { AbortColumns } from '../fragments.js';
import { requeueOwned, type Requeued } from '../leases/requeue-owned.js';
import { sql, type Queryable } from '../sql.js';

/**
 * Gives back what a stopping worker had not finished: due at once, uncharged, for the next worker. `reason` stays in
 * the history of attempts when the handler had begun; null for a run that only waited in the worker's buffer. Fenced.
 */
export function releaseRuns(
  db: Queryable,
  batch: readonly ({ readonly id: string; readonly fence: number; readonly reason: string | null } & AbortColumns)[],
): Promise<Requeued[]> {
  return requeueOwned(db, batch, {
    columns: sql`, reason text, abort_code text, abort_stage text`,
    set: sql`status = 'queued', attempts = j.attempts - 1`,
    attempt: sql`'interrupted', 'released', NULL, coalesce(i.reason, 'released before its handler began'), NULL, i.abort_code, i.abort_stage`,
  });
}
