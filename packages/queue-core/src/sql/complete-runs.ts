import { copiedColumns, inputOf, insertHistory } from './fragments.js';
import { queryRows, sql, type Queryable } from './sql.js';

export interface Completion {
  readonly id: string;
  readonly fence: number;
  readonly result: unknown;
}

/**
 * Moves succeeded runs to the history, each only while its fence is still the row's. Returns the ids that were settled;
 * one that is missing was lost: its lease passed to another worker, and nothing of it was written.
 */
export function completeRuns(db: Queryable, batch: readonly Completion[]): Promise<{ id: string }[]> {
  return queryRows(db, sql`
    WITH ${inputOf(batch, sql`, result jsonb`)},
    r AS (
      DELETE FROM duework.job_runs AS j
      WHERE j.id = ANY(ARRAY(SELECT id FROM input))
        AND j.status = 'running'
        AND (j.id, j.fence) IN (SELECT id, fence FROM input)
      RETURNING j.*
    ),
    recorded AS (
      ${insertHistory}
      SELECT ${copiedColumns}, 'succeeded', r.failed_at, r.error_code, r.error_type, r.last_error,
        r.cancel_requested_at, r.cancel_requested_by, r.cancel_reason, i.result
      FROM r JOIN input AS i ON i.id = r.id
    )
    SELECT id::text AS id FROM r
  `);
}
