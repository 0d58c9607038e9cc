import { queryRows, sql, type Queryable } from '@duework/sql';

/** The name of the database as a shard, else the one that it was given for what is no database; null: it has none yet. */
export async function readOrigin(db: Queryable): Promise<string | null> {
  const [row] = await queryRows<{ name: string | null }>(
    db,
    sql`SELECT coalesce((SELECT s.name FROM duework.shard AS s), (SELECT o.name FROM duework.origin AS o)) AS name`,
  );
  return row!.name;
}

/** Names the database, where nobody has. */
export async function writeOrigin(db: Queryable): Promise<void> {
  await queryRows(db, sql`INSERT INTO duework.origin DEFAULT VALUES ON CONFLICT DO NOTHING`);
}
