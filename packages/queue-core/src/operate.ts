import { DueworkError } from './errors.js';
import type { Job, JobAttempt, JobStatus } from './job.js';
import { cancelRun } from './sql/cancel-run.js';
import { confirmEffects } from './sql/confirm-effects.js';
import { findJob } from './sql/find-job.js';
import { findStatuses } from './sql/find-statuses.js';
import { listJobs } from './sql/list-jobs.js';
import { retryRun } from './sql/retry-run.js';
import type { Queryable } from './sql/sql.js';
import { TRANSITIONS } from './transitions.js';

/** One run and its attempts. Throws `invalid_job_id`, `job_not_found`. */
export async function getJob(db: Queryable, id: string): Promise<{ job: Job; attempts: JobAttempt[] }> {
  const found = await findJob(db, checkId(id));
  if (found === null) throw new DueworkError('job_not_found', { id });
  return found;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  /** Pass it as `cursor` for the next page; null: this was the last one. */
  readonly nextCursor: string | null;
}

/** Runs, newest first, `limit` (1 to 200, 50 unless given) a page. Throws `invalid_cursor`, `invalid_option`. */
export async function findJobs(db: Queryable, filter: { status?: JobStatus | undefined; type?: string | undefined; limit?: number | undefined; cursor?: string | undefined } = {}): Promise<JobPage> {
  const { status, type, cursor, limit = 50 } = filter;
  if (cursor !== undefined && !isId(cursor)) throw new DueworkError('invalid_cursor', { cursor });
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
    throw new DueworkError('invalid_option', { option: 'limit', expected: 'a whole number from 1 to 200', value: limit });
  }
  const jobs = await listJobs(db, { status, type, beforeId: cursor, limit: limit + 1 });
  const page = jobs.slice(0, limit);
  return { jobs: page, nextCursor: jobs.length > limit ? page.at(-1)!.id : null };
}

/**
 * Runs it now: a waiting run becomes due, a dead or cancelled one comes back with all its attempts.
 * A run that is dead because nobody could say whether an effect happened (`effect_unknown`) does it again, under the same
 * key, unless the operator has looked and says `effectsHappened`: then the handler gets null for it and goes on.
 * Throws `invalid_job_id`, `job_not_found`, `transition_not_allowed` (it is running or has succeeded).
 */
export async function retryJob(db: Queryable, id: string, { effectsHappened = false }: { effectsHappened?: boolean } = {}): Promise<void> {
  checkId(id);
  if (effectsHappened) await confirmEffects(db, id);
  await actOn(db, id, 'retry', async () => (await retryRun(db, id)).length > 0);
}

/**
 * Cancels a waiting run at once (`'cancelled'`), or asks the worker of a running one to stop it (`'requested'`).
 * Throws `invalid_job_id`, `job_not_found`, `transition_not_allowed` (it has finished).
 */
export async function cancelJob(db: Queryable, id: string, request: { by?: string; reason?: string } = {}): Promise<'cancelled' | 'requested'> {
  let answer: 'cancelled' | 'requested' = 'cancelled';
  await actOn(db, id, 'cancel', async () => {
    const [row] = await cancelRun(db, id, request.by ?? null, request.reason ?? null);
    answer = row?.status === 'running' ? 'requested' : 'cancelled';
    return row !== undefined;
  });
  return answer;
}

/** A run may move between live and finished between the refusal and the look at why; then the verb is tried again. */
async function actOn(db: Queryable, id: string, verb: 'retry' | 'cancel', act: () => Promise<boolean>): Promise<void> {
  checkId(id);
  for (let tries = 0; ; tries++) {
    if (await act()) return;
    const [found] = await findStatuses(db, [id]);
    if (found === undefined) throw new DueworkError('job_not_found', { id });
    if (TRANSITIONS[found.status][verb] === undefined || tries === 3) {
      throw new DueworkError('transition_not_allowed', { id, verb, status: found.status });
    }
  }
}

function checkId(id: string): string {
  if (!isId(id)) throw new DueworkError('invalid_job_id', { id });
  return id;
}

/** A decimal number that fits a bigint. */
function isId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n;
}
