import type { Retention } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Drops daily partitions of the history that are old enough, at most ten of one table, and returns how many; 0: none is
 * left. Attempts are kept as long as the runs that are kept longest. It reads no rows.
 */
export async function pruneHistory(db: Queryable, { keepDays, keepDeadDays }: Retention): Promise<number> {
  const attemptDays = Math.max(keepDays, keepDeadDays);
  const [row] = await queryRows<{ dropped: number }>(
    db,
    sql`SELECT duework.prune(${keepDays}::integer, ${attemptDays}::integer) AS dropped`,
  );
  return row!.dropped;
}
