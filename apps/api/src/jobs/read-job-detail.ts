import type { PrismaClient } from '@duework/database';
import { getJob, type Job, type JobAttempt } from '@duework/queue-core';

/** One job as the API shows it. Throws `invalid_job_id`, `job_not_found`. */
export async function readJobDetail(
  db: PrismaClient,
  id: string,
): Promise<Job & { readonly attemptHistory: readonly JobAttempt[] }> {
  const { job, attempts } = await getJob(db, id);
  return { ...job, attemptHistory: attempts };
}
