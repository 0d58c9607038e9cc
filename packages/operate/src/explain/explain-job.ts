import { getJob, type Job, type Queryable, readNow } from '@duework/queue-core';
import { explainReleases, explainWaiting } from './explain-waiting.js';
import type { Explanation, Reason } from './explanation.js';
import { makeReason } from './make-reason.js';

/**
 * Explains where a job is now, and why: a stable code, its facts and a sentence, and `further` reasons. It changes
 * nothing, and costs no more when a million jobs wait. Throws `invalid_job_id`, `job_not_found`.
 */
export async function explainJob(db: Queryable, id: string): Promise<Explanation> {
  const { job } = await getJob(db, id);
  const nowMs = await readNow(db);
  const [first, ...further] = await explain(db, job, nowMs);
  return { id: job.id, status: job.status, ...first!, further };
}

async function explain(db: Queryable, job: Job, nowMs: number): Promise<Reason[]> {
  const { attempts, maxAttempts, errorCode, lastError, worker } = job;
  switch (job.status) {
    case 'queued':
    case 'failed':
      return explainWaiting(db, job, nowMs);
    case 'running':
      return [explainRunning(job, nowMs), ...explainReleases(job)];
    case 'succeeded':
      return [makeReason('succeeded', { at: job.finishedAt!, worker, attempts })];
    case 'dead':
      return [
        makeReason('dead', {
          since: job.finishedAt!,
          attempts,
          maxAttempts,
          errorCode,
          lastError,
          acknowledgedAt: job.acknowledgedAt,
        }),
      ];
    case 'cancelled':
      return [makeReason('cancelled', { at: job.finishedAt!, by: job.cancelRequestedBy, reason: job.cancelReason })];
  }
}

function explainRunning(job: Job, nowMs: number): Reason {
  const { attempts: attempt, maxAttempts, cancelRequestedAt, cancelRequestedBy: by, cancelReason: reason } = job;
  const [worker, until, claimedAt] = [job.worker!, job.lockedUntil!, job.claimedAt!];
  if (until.getTime() <= nowMs) return makeReason('lease_expired', { worker, since: until, attempt });
  if (cancelRequestedAt !== null) return makeReason('cancelling', { worker, since: cancelRequestedAt, by, reason });
  return makeReason('leased', { worker, until, claimedAt, attempt, maxAttempts });
}
