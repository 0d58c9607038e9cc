import type { QueueDepth } from '../ports/operator.js';
import { queryRows, sql, type Queryable } from './sql.js';

/** The view `queue_depth`. It counts live rows only, whatever the history holds. */
export function readQueueDepth(db: Queryable): Promise<QueueDepth[]> {
  return queryRows(
    db,
    sql`
    SELECT queue, job_type AS type, due::float8 AS due, scheduled::float8 AS scheduled, retrying::float8 AS retrying,
      running::float8 AS running, oldest_waiting_seconds AS "oldestWaitingSeconds"
    FROM duework.queue_depth
    ORDER BY queue, job_type
  `,
  );
}
