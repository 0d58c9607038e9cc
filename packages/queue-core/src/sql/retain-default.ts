import { queryRows, sql, type Queryable } from './sql.js';

/** Deletes what is older than `keepDays` days of the history that found no partition, at most `batch` rows of a table; returns how many. */
export async function retainDefault(db: Queryable, keepDays: number, batch: number): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`SELECT duework.retain_default(${keepDays}::integer, ${batch}::integer) AS gone`,
  );
  return row!.gone;
}
