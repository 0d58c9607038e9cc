import { copiedColumns, insertHistory, stillOurs } from './fragments.js';
import { queryRows, sql, type Queryable, type Sql } from './sql.js';
import { toArray } from './to-array.js';

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
  const [row] = await queryRows<{ ids: string | null }>(db, sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM unnest(${toArray(batch.map(({ id }) => id))}::text::bigint[], ${toArray(batch.map(({ fence }) => fence))}::text::bigint[]) AS x (id, fence)
    ),
    r AS (
      DELETE FROM duework.job_runs AS j
      WHERE ${stillOurs}
      RETURNING j.*
    ),
    recorded AS (
      ${insertHistory}
      SELECT ${copiedColumns}, 'succeeded', r.failed_at, r.error_code, r.error_type, r.last_error,
        r.cancel_requested_at, r.cancel_requested_by, r.cancel_reason, ${resultOf(batch)}
      FROM r
    )
    SELECT array_to_json(array_agg(r.id))::text AS ids FROM r
  `);
  return row!.ids === null ? [] : (JSON.parse(row!.ids) as number[]).map(String);
}

/** Of the row `r`, by id; most jobs have nothing to say. */
function resultOf(batch: readonly Completion[]): Sql {
  const told = batch.filter(({ result }) => result !== null);
  if (told.length === 0) return sql`NULL::jsonb`;
  return sql`(SELECT ${JSON.stringify(Object.fromEntries(told.map(({ id, result }) => [id, result])))}::text::jsonb) -> r.id::text`;
}
