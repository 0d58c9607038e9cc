import { queryRows, sql, type Queryable } from '@duework/sql';

/** Deletes up to `batch` batches that have settled more than `keepDays` whole days ago, with what they list; how many. */
export async function pruneBatches(db: Queryable, keepDays: number, batch: number): Promise<number> {
  const rows = await queryRows(
    db,
    sql`WITH gone AS (
      DELETE FROM duework.job_batches AS b WHERE b.id IN (
        SELECT x.id FROM duework.job_batches AS x
        WHERE x.created_at < now() - ${keepDays + 1}::integer * interval '1 day'
          AND x.settled_at < now() - ${keepDays + 1}::integer * interval '1 day'
        ORDER BY x.created_at LIMIT ${batch}::integer
      )
      RETURNING b.id
    ),
    listed AS (DELETE FROM duework.job_batch_jobs AS j USING gone AS g WHERE j.batch_id = g.id)
    SELECT 1 AS one FROM gone`,
  );
  return rows.length;
}
