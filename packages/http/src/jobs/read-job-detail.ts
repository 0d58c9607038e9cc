import type { Job, JobAttempt } from '@duework/queue-core';
import { showJob } from '../access/shown/show-values.js';
import { type Shown, withhold } from '../access/shown/withhold.js';
import type { ApiContext, ApiParts } from '../api.js';

/** One job as the caller may see it. Throws `invalid_job_id`, `job_not_found`. */
export async function readJobDetail(
  { queue, catalog }: Pick<ApiParts, 'queue' | 'catalog'>,
  c: ApiContext,
  id: string,
): Promise<Shown<Job> & { readonly attemptHistory: readonly JobAttempt[] }> {
  const { job, attempts } = await queue.getJob(id);
  const principal = c.get('principal');
  return {
    ...showJob(catalog, principal, job),
    attemptHistory: attempts.map((attempt) => withhold(principal, attempt) as JobAttempt),
  };
}
