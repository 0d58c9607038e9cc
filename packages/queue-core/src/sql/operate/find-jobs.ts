import type { Job, JobAttempt } from '../../queue/job.js';
import { attemptAsJson, jobAsJson, toAttempts, toJob } from '../search/job-row.js';
import { queryRows, sql, type Queryable, toArray } from '@duework/sql';

export interface FoundJob {
  readonly job: Job;
  /** Those that failed or were interrupted, oldest first. */
  readonly attempts: JobAttempt[];
}

/** Runs by their ids, with their attempts, live or finished, in the order of the ids; null: there is none. */
export async function findJobs(db: Queryable, ids: readonly string[]): Promise<(FoundJob | null)[]> {
  const idArray = toArray(ids);
  const rows = await queryRows<{ job: string; attempts: string }>(
    db,
    sql`
    WITH attempts AS (
      -- one scan with all ids, from which the planner sees the partitions that they are in: with ::text::bigint[] it would
      -- learn them too late, and lock every day
      SELECT a.run_id, json_agg(${attemptAsJson} ORDER BY a.fence, a.finished_at) AS list
      FROM duework.job_attempts AS a
      WHERE a.run_id = ANY(${idArray}::bigint[])
      GROUP BY a.run_id
    )
    SELECT ${jobAsJson} AS job, coalesce(t.list, '[]')::text AS attempts
    FROM unnest(${idArray}::bigint[]) AS i (id)
    CROSS JOIN LATERAL duework.find_job(i.id) AS j
    LEFT JOIN attempts AS t ON t.run_id = i.id
  `,
  );
  const found = new Map(
    rows.map((row) => {
      const job = toJob(row.job);
      return [job.id, { job, attempts: toAttempts(row.attempts) }];
    }),
  );
  return ids.map((id) => found.get(id) ?? null);
}
