import { queryRows, sql, type Queryable } from './sql.js';

/** Writes that the unknown effects of a run have happened after all; returns their names. */
export async function confirmEffects(db: Queryable, id: string): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(db, sql`
    UPDATE duework.job_effects SET status = 'done', done_at = now()
    WHERE run_id = ${id}::bigint AND status = 'unknown'
    RETURNING name
  `);
  return rows.map((row) => row.name);
}
