import type { Retention } from '../ports/upkeep.js';
import { queryRows, sql, type Queryable } from './sql.js';

/**
 * Drops daily partitions of the history that are old enough, ten of one table at most, and returns how many: 0 when there is
 * none left. Attempts stay as long as what is kept the longest. It reads no row of them.
 */
export async function retainHistory(db: Queryable, { keepDays, keepDeadDays }: Retention): Promise<number> {
  const attemptDays = Math.max(keepDays, keepDeadDays);
  const [row] = await queryRows<{ dropped: number }>(
    db,
    sql`SELECT duework.retain(${keepDays}::integer, ${attemptDays}::integer) AS dropped`,
  );
  return row!.dropped;
}
