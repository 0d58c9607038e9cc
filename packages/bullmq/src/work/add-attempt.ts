import type { JobAttempt } from '@duework/queue-core';
import type { BullmqRun } from '../jobs/decode-job.js';
import type { Fields } from '../jobs/fields.js';

/** A run keeps so many of its attempts, the last ones: all of them are one field of its hash. */
const MAX_ATTEMPTS_KEPT = 100;

/** The fields by which the attempt that a run is in stands in its history, where BullMQ's own tools show stack traces. */
export function addAttempt(
  run: BullmqRun,
  nowMs: number,
  about: Pick<JobAttempt, 'outcome'> & Partial<JobAttempt>,
): Fields {
  const attempt: JobAttempt = {
    attempt: run.attempts,
    fence: run.fence,
    worker: run.worker ?? '',
    claimedAt: new Date(run.claimedAtMs ?? nowMs),
    finishedAt: new Date(nowMs),
    errorCode: null,
    errorType: null,
    errorMessage: null,
    errorStack: null,
    logs: null,
    abortCode: null,
    abortStage: null,
    ...about,
  };
  const history = [...run.history, JSON.stringify(attempt)].slice(-MAX_ATTEMPTS_KEPT);
  return { stacktrace: JSON.stringify(history), failedReason: about.errorMessage ?? about.outcome };
}
