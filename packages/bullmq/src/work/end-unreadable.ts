import { decodeJob, NOT_READABLE, tellUnreadable } from '../jobs/decode-job.js';
import { FIELD } from '../jobs/fields.js';
import type { Queues } from '../redis/queues.js';
import { endRun } from './end-run.js';
import type { FetchedJob } from './fetch-jobs.js';

/**
 * Ends those of the fetched jobs whose hash nobody can read as dead, and returns the others: they would be fetched and given
 * back for ever. Nothing has run, so no attempt is charged; a person may give it another payload, or retry it.
 */
export async function endUnreadable(queues: Queues, jobs: readonly FetchedJob[]): Promise<readonly FetchedJob[]> {
  await Promise.all(jobs.map(async (job) => job.unreadable !== null && end(queues, job, job.unreadable)));
  return jobs.filter(({ unreadable }) => unreadable === null);
}

async function end(queues: Queues, job: FetchedJob, field: string): Promise<void> {
  const run = decodeJob(job, await queues.redis.hgetall(queues.jobKey(job)));
  // it is gone
  if (run === null) return;
  const message = tellUnreadable(field);
  // BullMQ's script would read it, to tell the parent
  if (field === 'parent') await queues.redis.hdel(queues.jobKey(job), 'parent', 'parentKey');
  await endRun(queues, run, job.token, 'dead', message, {
    [FIELD.failedAt]: Date.now(),
    [FIELD.errorCode]: NOT_READABLE.code,
    [FIELD.errorType]: NOT_READABLE.type,
    [FIELD.error]: message,
  });
}
