import type { JobFilter, JobPage } from '../ports/operator.js';
import { jobAsJson, toJob } from './job-row.js';
import { queryRows, sql, type Queryable, type Sql } from './sql.js';

/** Rows that a page may scan, some 30 ms; a page of running runs may scan as many in each queue and priority. */
const BUDGET = 5_000;
const MAX_ID = '9223372036854775807';

/**
 * Runs, live or finished, newest first by id; running ones the longest due first. Whatever the filter, a page scans no
 * more than `BUDGET` rows: it may return few runs, or none, and a cursor that says how far it has scanned.
 */
export async function listJobs(db: Queryable, filter: JobFilter): Promise<JobPage> {
  const rows = await queryRows<{ job: string | null; next: string | null }>(
    db,
    filter.status === 'running' ? pageOfRunning(filter) : pageById(filter),
  );
  return {
    jobs: rows.flatMap(({ job }) => (job === null ? [] : [toJob(job)])),
    nextCursor: rows.find(({ job }) => job === null)?.next ?? null,
  };
}

function pageById({ status = null, type = null, queue = null, cursor, limit }: Nullable): Sql {
  return sql`
    SELECT CASE WHEN j.id IS NOT NULL THEN ${jobAsJson} END AS job, w.next_id::text AS next
    FROM duework.walk_jobs(
      ${status}::text, ${type}::text, ${queue}::text, ${cursor ?? MAX_ID}::text::bigint, ${limit}::integer, ${BUDGET}::integer
    ) AS w
    CROSS JOIN LATERAL (SELECT (w.job).*) AS j
  `;
}

function pageOfRunning({ type = null, queue = null, cursor, limit }: Nullable): Sql {
  const [micros, id] = cursor?.split('-') ?? [null, '0'];
  return sql`
    SELECT CASE WHEN j.id IS NOT NULL THEN ${jobAsJson} END AS job,
      (extract(epoch FROM w.next_run_at) * 1000000)::bigint::text || '-' || w.next_id AS next
    FROM duework.walk_running_jobs(
      ${type}::text, ${queue}::text,
      coalesce('epoch'::timestamptz + ${micros}::text::float8 * interval '1 microsecond', '-infinity'), ${id!}::text::bigint,
      ${limit}::integer, ${BUDGET}::integer
    ) AS w
    CROSS JOIN LATERAL (SELECT (w.job).*) AS j
  `;
}

type Nullable = {
  readonly [K in keyof JobFilter]: JobFilter[K] | (K extends 'type' | 'queue' | 'status' ? null : never);
};
