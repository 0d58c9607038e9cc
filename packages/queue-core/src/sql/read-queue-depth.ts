import type { QueueDepth } from '../ports/operator.js';
import { queryRows, sql, type Queryable } from './sql.js';

/**
 * The view `queue_depth`: of each queue and priority it counts 10,000 runs that are due, and as many that are not, and then says
 * so. It costs the same beside a million.
 */
export function readQueueDepth(db: Queryable): Promise<QueueDepth[]> {
  return queryRows(
    db,
    sql`
    SELECT queue, job_type AS type, due::float8 AS due, scheduled::float8 AS scheduled, retrying::float8 AS retrying,
      running::float8 AS running, oldest_waiting_seconds AS "oldestWaitingSeconds", is_at_least AS "isAtLeast"
    FROM duework.queue_depth
    ORDER BY queue, job_type
  `,
  );
}
