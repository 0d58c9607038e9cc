import type { Job, JobAttempt } from '@duework/queue-core';
import { readOffloaded } from '@duework/queue-core/internals';
import { showJob } from '../access/shown/show-values.js';
import { maySeePayloads, type Shown, withhold } from '../access/shown/withhold.js';
import type { ApiContext, ApiParts } from '../api.js';

/**
 * One job as the caller may see it. `whole`: with a large payload and result, which are in the store of objects. Throws
 * `invalid_job_id`, `job_not_found`, and for a whole one `offload_missing`, `object_missing`, `object_altered` and
 * `store_unavailable`.
 */
export async function readJobDetail(
  { queue, catalog }: Pick<ApiParts, 'queue' | 'catalog'>,
  c: ApiContext,
  id: string,
  whole = false,
): Promise<Shown<Job> & { readonly attemptHistory: readonly JobAttempt[] }> {
  const { job: found, attempts } = await queue.getJob(id);
  const principal = c.get('principal');
  const job = whole && maySeePayloads(principal) ? await readWhole(found) : found;
  return {
    ...showJob(catalog, principal, job),
    attemptHistory: attempts.map((attempt) => withhold(principal, attempt) as JobAttempt),
  };
}

/** The same where nothing of it is in an object, so that its numbers stay as they are stored. */
async function readWhole(job: Job): Promise<Job> {
  const [payload, result] = await Promise.all([readOffloaded(job.payload), readOffloaded(job.result)]);
  return payload === job.payload && result === job.result ? job : { ...job, payload, result };
}
