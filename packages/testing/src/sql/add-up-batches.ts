import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** Enqueues the jobs for which it is time in their batches, as a worker does, but waits for whoever is at one. */
export async function addUpBatches(db: Queryable): Promise<void> {
  await queryRows(
    db,
    sql`WITH b AS MATERIALIZED (
      SELECT x.id FROM duework.job_batches AS x
      WHERE x.id IN (SELECT c.batch_id FROM duework.job_batch_changes AS c) ORDER BY x.id FOR UPDATE
    )
    SELECT 1 AS one FROM duework.add_up_batches((SELECT array_agg(b.id) FROM b))`,
  );
}
