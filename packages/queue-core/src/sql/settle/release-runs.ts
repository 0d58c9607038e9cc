import type { GatesSettled } from '../flow/note-gates.js';
import type { AbortColumns } from '../fragments.js';
import { requeueOwned, type Requeued } from '../leases/requeue-owned.js';
import { SUSPECT_LIMIT } from '../../ports/runs.js';
import { sql, type Queryable } from '@duework/sql';

type Release = {
  readonly id: string;
  readonly fence: number;
  readonly reason: string | null;
  readonly is_suspect?: boolean;
} & AbortColumns;

/**
 * Gives back what a stopping worker had not finished: due at once, uncharged, for the next worker. `reason` stays in
 * the history of attempts when the handler had begun, and such releases are counted; null for a run that only waited in
 * the worker's buffer. A suspect of a failed process is dead when it has been one as often as it may be tried. Fenced.
 */
export function releaseRuns(db: Queryable, batch: readonly Release[], gates: GatesSettled = null): Promise<Requeued[]> {
  return requeueOwned(db, batch, {
    gates: gates === null ? undefined : { how: 'keep', notes: gates.notes },
    columns: sql`, reason text, is_suspect boolean, abort_code text, abort_stage text`,
    set: sql`status = 'queued', attempts = j.attempts - 1,
      releases = CASE WHEN i.reason IS NULL THEN j.releases ELSE coalesce(j.releases, 0) + 1 END`,
    attempt: sql`'interrupted', CASE WHEN i.is_suspect THEN ${SUSPECT_LIMIT.code}::text ELSE 'released' END, NULL, coalesce(i.reason, 'released before its handler began'), NULL, i.abort_code, i.abort_stage`,
    bury: {
      ...SUSPECT_LIMIT,
      when: sql`i.is_suspect AND o.max_attempts <= 1 + (
        SELECT count(*) FROM duework.job_attempts AS a WHERE a.run_id = o.id AND a.error_code = ${SUSPECT_LIMIT.code}
      )`,
    },
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
