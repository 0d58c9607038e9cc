import { queryRows, sql, type Queryable } from '@duework/sql';

/** Whether this database takes no job that any shard would do for. */
export async function isShardClosed(db: Queryable): Promise<boolean> {
  const [row] = await queryRows<{ closed: boolean }>(
    db,
    sql`SELECT s.closed_at IS NOT NULL AS closed FROM duework.shard AS s`,
  );
  return row?.closed ?? false;
}
