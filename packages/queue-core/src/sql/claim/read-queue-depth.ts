import type { QueueDepth } from '../../ports/operator.js';
import { queryRows, sql, type Queryable, type Sql } from '@duework/sql';
import { activePauses } from './active-pauses.js';

const counts: Sql = sql`queue, job_type AS type, due::float8 AS due, scheduled::float8 AS scheduled, retrying::float8 AS retrying,
      running::float8 AS running, held::float8 AS held, is_at_least AS "isAtLeast"`;

/**
 * The view `queue_depth`: for each queue and priority it counts at most 10,000 due runs, as many due later, and as many
 * of those that wait, or will, at gates; beyond that it sets `isAtLeast`. More than four of them share 40,000 (1,000 of
 * each at least), so a million runs cost no more.
 */
export function readQueueDepth(db: Queryable): Promise<QueueDepth[]> {
  return queryRows(
    db,
    sql`
    SELECT ${counts}, oldest_waiting_seconds AS "oldestWaitingSeconds"
    FROM duework.queue_depth
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
    SELECT ${counts},
      CASE WHEN EXISTS (
        SELECT FROM ${activePauses} AS p
        WHERE (p.kind = 'queue' AND p.name = d.queue) OR (p.kind = 'type' AND p.name = d.job_type)
      ) THEN 0 ELSE oldest_waiting_seconds END AS "oldestWaitingSeconds"
    FROM duework.queue_depth AS d
    ORDER BY queue, job_type
  `,
  );
}
