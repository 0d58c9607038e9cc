import { queryRows, sql, type Queryable } from './sql.js';

/**
 * Drops daily partitions of the history that are older than `keepDays` days, ten of one table at most, and returns how
 * many: 0 when there is none left. It reads no row of them.
 */
export async function retainHistory(db: Queryable, keepDays: number): Promise<number> {
  const [row] = await queryRows<{ dropped: number }>(db, sql`SELECT duework.retain(${keepDays}::integer) AS dropped`);
  return row!.dropped;
}
