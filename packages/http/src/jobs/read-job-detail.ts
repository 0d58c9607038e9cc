import type { Job, JobAttempt } from '@duework/queue-core';
import { showJob } from '../access/shown/show-values.js';
import { maySeePayloads, type Shown } from '../access/shown/withhold.js';
import type { ApiContext, ApiParts } from '../api.js';

/** One job as the caller may see it. Throws `invalid_job_id`, `job_not_found`. */
export async function readJobDetail(
  { queue, catalog }: Pick<ApiParts, 'queue' | 'catalog'>,
  c: ApiContext,
  id: string,
): Promise<Shown<Job> & { readonly attemptHistory: readonly JobAttempt[] }> {
  const { job, attempts } = await queue.getJob(id);
  const principal = c.get('principal');
  // what a handler logs may be of its payload
  const shown = maySeePayloads(principal) ? attempts : attempts.map((attempt) => ({ ...attempt, logs: null }));
  return { ...showJob(catalog, principal, job), attemptHistory: shown };
}
