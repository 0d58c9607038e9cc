import type { QueueDepth } from '../../ports/operator.js';
import { queryRows, sql, type Queryable, type Sql } from '@duework/sql';
import { activePauses } from './active-pauses.js';

const depth: Sql = sql`duework.queue_depth FULL JOIN duework.count_held(10000) AS h (queue, job_type, held, is_part) USING (queue, job_type)`;
const counts: Sql = sql`coalesce(due, 0)::float8 AS due, coalesce(scheduled, 0)::float8 AS scheduled, coalesce(retrying, 0)::float8 AS retrying,
      coalesce(running, 0)::float8 AS running, coalesce(held, 0)::float8 AS held, coalesce(is_at_least, false) OR coalesce(is_part, false) AS "isAtLeast"`;

/**
 * The view `queue_depth`: for each queue and priority it counts at most 10,000 due runs and as many that are due later,
 * and then sets `isAtLeast`; and the first 10,000 of those that wait at gates. More than four of them share 40,000 (1,000 of each at least). So a million runs cost no more.
 */
export function readQueueDepth(db: Queryable): Promise<QueueDepth[]> {
  return queryRows(
    db,
    sql`
    SELECT queue, job_type AS type, ${counts}, coalesce(oldest_waiting_seconds, 0) AS "oldestWaitingSeconds"
    FROM ${depth}
    ORDER BY queue, job_type
  `,
  );
}

/**
 * The same as an alert takes it: what is paused waits because somebody wants it to, so its `oldestWaitingSeconds` is 0.
 */
export function readDepthForAlerts(db: Queryable): Promise<QueueDepth[]> {
  return queryRows(
    db,
    sql`
    SELECT queue, job_type AS type, ${counts},
      CASE WHEN EXISTS (
        SELECT FROM ${activePauses} AS p
        WHERE (p.kind = 'queue' AND p.name = d.queue) OR (p.kind = 'type' AND p.name = d.job_type)
      ) THEN 0 ELSE coalesce(oldest_waiting_seconds, 0) END AS "oldestWaitingSeconds"
    FROM (SELECT * FROM ${depth}) AS d
    ORDER BY queue, job_type
  `,
  );
}
