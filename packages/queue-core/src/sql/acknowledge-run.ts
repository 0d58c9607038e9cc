import { queryRows, sql, type Queryable } from './sql.js';

/** Writes that somebody has looked at a dead run; the first time stays. false: the run is not dead. */
export async function acknowledgeRun(db: Queryable, id: string): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    UPDATE duework.job_history SET acknowledged_at = coalesce(acknowledged_at, now())
    WHERE id = ${id}::bigint AND status = 'dead'
    RETURNING id::text AS id
  `,
  );
  return rows.length === 1;
}
