import { DueworkError } from '@duework/queue-core';
import type { ApiContext, ApiParts } from '../api.js';

/**
 * Throws `job_not_found` for a job of a type that the caller is not for, as for one that is not there. A job keeps its type, so that
 * what is done next is done to the job that was looked at. Throws `invalid_job_id`, too.
 */
export async function checkJob({ queue }: Pick<ApiParts, 'queue'>, c: ApiContext, id: string): Promise<void> {
  const { types } = c.get('principal');
  if (types === null) return;
  const { job } = await queue.getJob(id);
  if (!types.includes(job.type)) throw new DueworkError('job_not_found', { id });
}
