import { copiedColumns, insertHistory } from './fragments.js';
import { queryRows, sql, type Queryable } from './sql.js';

export interface Completion {
  readonly id: string;
  readonly fence: number;
  readonly result: unknown;
}

/**
 * Moves succeeded runs to the history, each only while its fence is still the row's. Returns the ids that were settled;
 * one that is missing was lost: its lease passed to another worker, and nothing of it was written.
 *
 * Arrays in, one text out, and no join: this runs once for every run there is, and has one plan whatever the statistics say.
 */
export async function completeRuns(db: Queryable, batch: readonly Completion[]): Promise<string[]> {
  const ids = `{${batch.map(({ id }) => id).join(',')}}`;
  const fences = `{${batch.map(({ fence }) => fence).join(',')}}`;
  const [row] = await queryRows<{ ids: string }>(db, sql`
    WITH r AS (
      DELETE FROM duework.job_runs AS j
      WHERE j.id = ANY(${ids}::text::bigint[])
        -- a row has a lease exactly while it is running; its status would invite a plan through all that are
        AND j.locked_by IS NOT NULL
        -- IS TRUE keeps it from becoming a join, whose order would follow the statistics
        AND ((j.id, j.fence) IN (SELECT * FROM unnest(${ids}::text::bigint[], ${fences}::text::bigint[]))) IS TRUE
      RETURNING j.*
    ),
    recorded AS (
      ${insertHistory}
      SELECT ${copiedColumns}, 'succeeded', r.failed_at, r.error_code, r.error_type, r.last_error,
        r.cancel_requested_at, r.cancel_requested_by, r.cancel_reason, (SELECT ${resultsOf(batch)}::text::jsonb) -> r.id::text
      FROM r
    )
    SELECT coalesce(json_agg(r.id::text), '[]')::text AS ids FROM r
  `);
  return JSON.parse(row!.ids) as string[];
}

/** By id; most jobs have nothing to say. */
function resultsOf(batch: readonly Completion[]): string {
  return JSON.stringify(Object.fromEntries(batch.filter(({ result }) => result !== null).map(({ id, result }) => [id, result])));
}
