import type { Retention } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** Deletes old rows from the history's default partitions, at most `batch` of each table; returns how many. */
export async function pruneDefault(
  db: Queryable,
  { keepDays, keepDeadDays }: Retention,
  batch: number,
): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`SELECT duework.prune_default(${keepDays}::integer, ${keepDeadDays}::integer, ${batch}::integer) AS gone`,
  );
  return row!.gone;
}
