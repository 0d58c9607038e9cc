import { queryRows, sql, type Queryable } from '@duework/sql';

/** Deletes idempotency keys whose window is over, at most `batch`; returns how many. */
export async function pruneExpiredKeys(db: Queryable, batch: number): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`SELECT duework.prune_expired_keys(${batch}::integer) AS gone`,
  );
  return row!.gone;
}
