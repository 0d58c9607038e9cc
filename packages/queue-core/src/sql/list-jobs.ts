import type { Job, JobStatus } from '../job.js';
import type { JobFilter } from '../ports/operator.js';
import { jobAsJson, toJob, type JobJson } from './job-row.js';
import { empty, join, queryRows, sql, type Queryable, type Sql } from './sql.js';

export interface RowFilter extends Omit<JobFilter, 'cursor'> {
  /** Only ids below this one. */
  readonly beforeId?: string | undefined;
}

/** Literals, so that a list of dead runs can use the partial index on them. */
const STATUS_IS: { readonly [S in JobStatus]: Sql } = {
  queued: sql`j.status = 'queued'`,
  running: sql`j.status = 'running'`,
  failed: sql`j.status = 'failed'`,
  succeeded: sql`j.status = 'succeeded'`,
  dead: sql`j.status = 'dead'`,
  cancelled: sql`j.status = 'cancelled'`,
};

/** Runs, live or finished, newest first (by id). */
export async function listJobs(db: Queryable, { status, type, beforeId, limit }: RowFilter): Promise<Job[]> {
  const conditions = [
    ...(status === undefined ? [] : [STATUS_IS[status]]),
    ...(type === undefined ? [] : [sql`j.job_type = ${type}::text`]),
    ...(beforeId === undefined ? [] : [sql`j.id < ${beforeId}::bigint`]),
  ];
  const rows = await queryRows<{ job: JobJson }>(
    db,
    sql`
    SELECT ${jobAsJson} AS job
    FROM duework.jobs AS j
    ${conditions.length === 0 ? empty : sql`WHERE ${join(conditions, ' AND ')}`}
    ORDER BY j.id DESC
    LIMIT ${limit}::integer
  `,
  );
  return rows.map((row) => toJob(row.job));
}
