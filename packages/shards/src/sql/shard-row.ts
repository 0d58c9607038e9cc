import { queryRows, sql, type Queryable } from '@duework/sql';

/** What a database says of itself. */
export interface ShardRow {
  readonly name: string;
  readonly foundedAt: Date;
  /** Since when no job comes here unless its caller asks for this shard; null: it is open. */
  readonly closedAt: Date | null;
}

/** null: the database is no shard, but one for itself. */
export async function readShard(db: Queryable): Promise<ShardRow | null> {
  const [row] = await queryRows<ShardRow>(
    db,
    sql`SELECT s.name, s.founded_at AS "foundedAt", s.closed_at AS "closedAt" FROM duework.shard AS s`,
  );
  return row ?? null;
}

/** Makes the database a shard where it is none; what it is now. */
export async function writeShard(db: Queryable, name: string): Promise<ShardRow> {
  await queryRows(db, sql`INSERT INTO duework.shard (name) VALUES (${name}::text) ON CONFLICT DO NOTHING`);
  return (await readShard(db))!;
}

/** Closes or opens the shard; what it is now, null where the database is none. */
export async function setClosed(db: Queryable, isClosed: boolean): Promise<ShardRow | null> {
  const [row] = await queryRows<ShardRow>(
    db,
    sql`
    UPDATE duework.shard AS s SET closed_at = CASE WHEN ${isClosed}::boolean THEN coalesce(s.closed_at, now()) END
    RETURNING s.name, s.founded_at AS "foundedAt", s.closed_at AS "closedAt"`,
  );
  return row ?? null;
}

/** How many runs wait or run here. */
export async function countLive(db: Queryable): Promise<number> {
  const [row] = await queryRows<{ count: number }>(db, sql`SELECT count(*)::integer AS count FROM duework.job_runs`);
  return row!.count;
}
