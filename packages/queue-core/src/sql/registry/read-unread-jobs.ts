import { queryRows, sql, type Queryable } from '../sql.js';

/** Due runs that no worker that lives can read. */
export interface UnreadJobs {
  readonly queue: string;
  readonly type: string;
  readonly version: number;
  readonly waiting: number;
  readonly oldestWaitingSeconds: number;
  /** More of the queue is due than was looked at. */
  readonly isAtLeast: boolean;
}

/** The view `unread_jobs`, which looks at the first 10,000 due runs of each queue and priority; more than four of them share 40,000. */
export function readUnreadJobs(db: Queryable): Promise<UnreadJobs[]> {
  return queryRows(
    db,
    sql`
    SELECT queue, job_type AS type, job_version AS version, waiting::float8 AS waiting,
      extract(epoch FROM now() - oldest_due_at)::float8 AS "oldestWaitingSeconds", is_at_least AS "isAtLeast"
    FROM duework.unread_jobs
    ORDER BY queue, job_type, job_version
  `,
  );
}
