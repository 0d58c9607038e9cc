import { queryRows, sql, type Queryable } from '@duework/sql';

/** Due runs that no worker that lives can read. */
export interface UnservedJobs {
  readonly queue: string;
  readonly type: string;
  readonly version: number;
  readonly waiting: number;
  readonly oldestWaitingSeconds: number;
  /** More jobs of the queue are due than were searched. */
  readonly isAtLeast: boolean;
}

/** The view `unserved_jobs`, which looks at the first 10,000 due runs of each queue and priority; more than four of them share 40,000. */
export function readUnservedJobs(db: Queryable): Promise<UnservedJobs[]> {
  return queryRows(
    db,
    sql`
    SELECT queue, job_type AS type, job_version AS version, waiting::float8 AS waiting,
      extract(epoch FROM now() - oldest_due_at)::float8 AS "oldestWaitingSeconds", is_at_least AS "isAtLeast"
    FROM duework.unserved_jobs
    ORDER BY queue, job_type, job_version
  `,
  );
}
