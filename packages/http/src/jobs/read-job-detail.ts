import type { Job, JobAttempt, JobQueue } from '@duework/queue-core';

/** One job as the API shows it. Throws `invalid_job_id`, `job_not_found`. */
export async function readJobDetail(
  queue: JobQueue,
  id: string,
): Promise<Job & { readonly attemptHistory: readonly JobAttempt[] }> {
  const { job, attempts } = await queue.getJob(id);
  return { ...job, attemptHistory: attempts };
}
