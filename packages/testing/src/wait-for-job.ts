import { DueworkError, type Job, type JobStatus, systemClock } from '@duework/queue-core';
import { pause } from '@duework/queue-core/internals';
import { toQueue, type LookedAt } from './to-queue.js';

const FINAL: ReadonlySet<JobStatus> = new Set(['succeeded', 'dead', 'cancelled']);
const LOOK_INTERVAL_MS = 10;

/**
 * Resolves with a job when it has a final status, or the given one. Rejects, with its last state, after `timeoutMs` of
 * real time (default 5 s), and at once if it ended in another status.
 */
export async function waitForJob(
  source: LookedAt,
  id: string,
  { status, timeoutMs = 5_000 }: { status?: JobStatus; timeoutMs?: number } = {},
): Promise<Job> {
  const queue = toQueue(source);
  const deadlineMs = systemClock.monotonicMs() + timeoutMs;
  const wanted = status ?? 'final';
  for (;;) {
    const job = await look(queue, id);
    if (job !== null && (status === undefined ? FINAL.has(job.status) : job.status === status)) return job;
    const isOver = job !== null && FINAL.has(job.status);
    if (isOver) throw new Error(`Job ${id} will not become ${wanted}: ${describe(job)}.`);
    if (systemClock.monotonicMs() >= deadlineMs) {
      throw new Error(
        `Job ${id} did not become ${wanted} within ${timeoutMs} ms: ${job === null ? 'there is no such job' : describe(job)}.`,
      );
    }
    await pause(systemClock, LOOK_INTERVAL_MS);
  }
}

/** The job; null: it does not exist, or is not committed yet. */
async function look(queue: ReturnType<typeof toQueue>, id: string): Promise<Job | null> {
  try {
    return (await queue.getJob(id)).job;
  } catch (error) {
    if (DueworkError.is(error, 'job_not_found')) return null;
    throw error;
  }
}

function describe({ type, status, attempts, maxAttempts, runAt, worker, errorCode, lastError }: Job): string {
  return [
    `this ${type} is ${status} after ${attempts} of ${maxAttempts} attempts`,
    ...(status === 'queued' || status === 'failed' ? [`due at ${runAt.toISOString()}`] : []),
    ...(status !== 'running' ? [] : [`its worker is ${worker}`]),
    ...(lastError === null ? [] : [`its last error is ${errorCode}: ${lastError}`]),
  ].join(', ');
}
