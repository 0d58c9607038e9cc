import { queryRows, sql, type Queryable } from './sql.js';

/** Drops the history that is older than `keepDays` days, with its keys; returns how many daily partitions that were. */
export async function retainHistory(db: Queryable, keepDays: number): Promise<number> {
  const [row] = await queryRows<{ dropped: number }>(db, sql`SELECT duework.retain(${keepDays}::integer) AS dropped`);
  return row!.dropped;
}
