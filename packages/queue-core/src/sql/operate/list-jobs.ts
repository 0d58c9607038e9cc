import type { JobFilter, JobPage } from '../../ports/operator.js';
import type { JobSearch, SearchSource, SourceName } from '../search/job-search.js';
import { searchJobs } from '../search/search-jobs.js';
import { compose, sql, type Queryable, type Sql } from '@duework/sql';

const SOURCES: Readonly<Record<string, readonly SourceName[]>> = {
  queued: ['live'],
  failed: ['failed'],
  dead: ['dead'],
  cancelled: ['cancelled'],
  succeeded: ['late', 'days_default', 'days'],
};
const ALL: readonly SourceName[] = ['live', 'dead', 'cancelled', 'late', 'days_default', 'days'];

/**
 * Runs, live or finished, newest first by id; running ones the longest due first. Whatever the filter, a page looks at a
 * bounded number of rows: it may return few runs, or none, and a cursor that says how far it has looked.
 */
export async function listJobs(db: Queryable, filter: JobFilter): Promise<JobPage> {
  const { jobs, nextCursor } = await searchJobs(db, toSearch(filter), filter);
  return { jobs, nextCursor };
}

function toSearch({ status, type, queue }: JobFilter): JobSearch {
  const conditions: Sql[] = [sql`true`];
  if (status !== undefined) conditions.push(sql`j.status = ${status}::text`);
  if (type !== undefined) conditions.push(sql`j.job_type = ${type}::text`);
  if (queue !== undefined) conditions.push(sql`j.queue = ${queue}::text`);
  const sources: SearchSource[] = (status === undefined ? ALL : (SOURCES[status] ?? [])).map((name) => ({
    name,
    candidates: [],
  }));
  return {
    condition: compose(conditions, ' AND '),
    sources,
    running: status === 'running' ? { queues: queue === undefined ? null : [queue] } : null,
    since: null,
    until: null,
  };
}
