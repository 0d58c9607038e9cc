import { DueworkError, type Job, type JobAttempt, type JobStatus } from '@duework/queue-core';
import { attemptsOf, toJob, type BullmqRun } from '../jobs/decode-job.js';
import { readJobId, type PlacedId } from '../jobs/job-id.js';
import type { Queues } from '../redis/queues.js';
import { readRun } from '../redis/read-runs.js';

/** Throws `invalid_job_id` for a text that is no id of this store. */
export function placeOf(id: string): PlacedId {
  const placed = readJobId(id);
  if (placed === null) throw new DueworkError('invalid_job_id', { id });
  return placed;
}

export async function findRun(queues: Queues, id: string): Promise<{ job: Job; attempts: JobAttempt[] } | null> {
  const run = await readRun(queues, placeOf(id));
  return run === null ? null : { job: await showRun(queues, run), attempts: attemptsOf(run) };
}

export async function statusOf(queues: Queues, id: string): Promise<JobStatus | null> {
  return (await readRun(queues, placeOf(id)))?.status ?? null;
}

/** A run as people see it, with the end of its lease. */
export async function showRun(queues: Queues, run: BullmqRun): Promise<Job> {
  const end = run.status === 'running' ? await queues.redis.zscore(queues.leases, queues.memberOf(run)) : null;
  return toJob(run, end === null ? null : Number(end));
}
