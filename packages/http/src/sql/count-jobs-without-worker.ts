import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/**
 * How many due jobs wait while no worker lives, of the first 1,000 of each queue and priority; null: a worker lives.
 */
export async function countJobsWithoutWorker(db: Queryable): Promise<number | null> {
  const [row] = await queryRows<{ waiting: number | null }>(
    db,
    sql`
    SELECT CASE WHEN NOT EXISTS (
      SELECT FROM duework.worker_contracts AS w
      WHERE w.seen_at > now() - interval '3 minutes'
        AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))
    ) THEN (SELECT coalesce(sum(u.waiting), 0)::integer FROM duework.count_unserved_jobs(1000) AS u) END AS waiting
  `,
  );
  return row!.waiting;
}
