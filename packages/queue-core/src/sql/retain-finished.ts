import { queryRows, sql, type Queryable } from './sql.js';

/** Deletes dead or cancelled runs that finished more than `keepDays` days ago, at most `batch`; returns how many. */
export async function retainFinished(
  db: Queryable,
  status: 'dead' | 'cancelled',
  keepDays: number,
  batch: number,
): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`SELECT duework.retain_finished(${status}::text, ${keepDays}::integer, ${batch}::integer) AS gone`,
  );
  return row!.gone;
}
