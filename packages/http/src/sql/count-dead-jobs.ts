import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** How many runs were given up within the last hour. */
export async function countDeadJobs(db: Queryable): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    db,
    sql`
    -- a literal, for the partial index on dead runs
    SELECT count(*)::integer AS count FROM duework.job_history WHERE status = 'dead' AND finished_at > now() - interval '1 hour'
  `,
  );
  return row!.count;
}
