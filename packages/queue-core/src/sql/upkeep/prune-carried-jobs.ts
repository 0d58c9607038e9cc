import { queryRows, sql, type Queryable } from '@duework/sql';

/** A forward is tried for three days; after these many only one that a person has retried could come again. */
const KEEP_DAYS = 30;

/** Deletes up to `batch` notes of what other shards have forwarded here; how many. */
export async function pruneCarriedJobs(db: Queryable, batch: number): Promise<number> {
  const rows = await queryRows(
    db,
    sql`
    DELETE FROM duework.carried_jobs AS c WHERE (c.from_shard, c.forward_id) IN (
      SELECT x.from_shard, x.forward_id FROM duework.carried_jobs AS x
      WHERE x.carried_at < now() - ${KEEP_DAYS}::integer * interval '1 day'
      ORDER BY x.carried_at LIMIT ${batch}::integer
    )
    RETURNING 1 AS one`,
  );
  return rows.length;
}
