import { queryRows, sql, type Queryable } from '@duework/sql';

/** Makes the daily partitions of the history up to `daysAhead` days from now; returns how many were missing. */
export async function ensurePartitions(db: Queryable, daysAhead: number): Promise<number> {
  const [row] = await queryRows<{ made: number }>(
    db,
    sql`SELECT duework.ensure_partitions(${daysAhead}::integer) AS made`,
  );
  return row!.made;
}
