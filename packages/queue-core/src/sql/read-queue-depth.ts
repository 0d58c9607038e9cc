import { queryRows, sql, type Queryable } from './sql.js';

/** What waits and runs, by queue and type; `oldestWaitingSeconds` is 0 where nothing is due. */
export interface QueueDepth {
  readonly queue: string;
  readonly type: string;
  readonly due: number;
  readonly scheduled: number;
  readonly retrying: number;
  readonly running: number;
  readonly oldestWaitingSeconds: number;
}

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
