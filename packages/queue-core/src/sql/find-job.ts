import type { Job, JobAttempt } from '../job.js';
import { attemptAsJson, jobAsJson, toAttempt, toJob, type AttemptJson, type JobJson } from './job-row.js';
import { queryRows, sql, type Queryable } from './sql.js';

/** One run, live or finished, with its attempts that failed or were interrupted, oldest first; null: there is none. */
export async function findJob(db: Queryable, id: string): Promise<{ job: Job; attempts: JobAttempt[] } | null> {
  const [row] = await queryRows<{ job: JobJson; attempts: AttemptJson[] }>(
    db,
    sql`
    SELECT ${jobAsJson} AS job, coalesce((
      SELECT json_agg(${attemptAsJson} ORDER BY a.fence, a.finished_at) FROM duework.job_attempts AS a WHERE a.run_id = ${id}::bigint
    ), '[]') AS attempts
    FROM duework.find_job(${id}::bigint) AS j
  `,
  );
  return row === undefined ? null : { job: toJob(row.job), attempts: row.attempts.map(toAttempt) };
}
