import { queryRows, sql, type Queryable } from '@duework/sql';

/** The name of the shard that this database is; null: it is one for itself. */
export async function readShardName(db: Queryable): Promise<string | null> {
  const [row] = await queryRows<{ name: string }>(db, sql`SELECT s.name FROM duework.shard AS s`);
  return row?.name ?? null;
}
