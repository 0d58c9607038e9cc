import type { GatesSettled } from '../flow/note-gates.js';
import type { AbortColumns } from '../fragments.js';
import { requeueOwned, type Requeued } from '../leases/requeue-owned.js';
import { sql, type Queryable } from '@duework/sql';

/**
 * Gives back what a stopping worker had not finished: due at once, uncharged, for the next worker. `reason` stays in
 * the history of attempts when the handler had begun, and such releases are counted; null for a run that only waited in
 * the worker's buffer. Fenced.
 */
export function releaseRuns(
  db: Queryable,
  batch: readonly ({ readonly id: string; readonly fence: number; readonly reason: string | null } & AbortColumns)[],
  gates: GatesSettled = null,
): Promise<Requeued[]> {
  return requeueOwned(db, batch, {
    gates: gates === null ? undefined : { how: 'keep', notes: gates.notes },
    columns: sql`, reason text, abort_code text, abort_stage text`,
    set: sql`status = 'queued', attempts = j.attempts - 1,
      releases = CASE WHEN i.reason IS NULL THEN j.releases ELSE coalesce(j.releases, 0) + 1 END`,
    attempt: sql`'interrupted', 'released', NULL, coalesce(i.reason, 'released before its handler began'), NULL, i.abort_code, i.abort_stage`,
    also: sql`,
    noted AS (
      INSERT INTO duework.released_runs (run_id)
      SELECT o.id FROM owned AS o JOIN input AS i ON i.id = o.id
      WHERE i.reason IS NOT NULL AND o.cancel_requested_at IS NULL
      ORDER BY o.id
      ON CONFLICT DO NOTHING
    )`,
  });
}
