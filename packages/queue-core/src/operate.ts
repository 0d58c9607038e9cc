import type { Job, JobAttempt } from './job.js';
import type { JobListing } from './job-queue.js';
import { operateOn } from './operate-on.js';
import type { JobPage } from './ports/operator.js';
import type { Queryable } from './sql/sql.js';
import { POSTGRES_CAPABILITIES } from './store/postgres-capabilities.js';
import { postgresOperator } from './store/postgres-operator.js';

const operate = (db: Queryable): ReturnType<typeof operateOn> => operateOn(postgresOperator(db), POSTGRES_CAPABILITIES);

/** One run and its attempts. Throws `invalid_job_id`, `job_not_found`. */
export function getJob(db: Queryable, id: string): Promise<{ job: Job; attempts: JobAttempt[] }> {
  return operate(db).getJob(id);
}

/**
 * Runs, newest first (what runs: the longest due first), `limit` (1 to 200, 50 unless given) a page at the most. Throws
 * `invalid_cursor`, `invalid_option`.
 */
export function findJobs(db: Queryable, listing: JobListing = {}): Promise<JobPage> {
  return operate(db).findJobs(listing);
}

/**
 * Runs it now: a waiting run becomes due, a dead or cancelled one comes back with all its attempts.
 * A run that is dead because nobody could say whether an effect happened (`effect_unknown`) does it again, under the same
 * key, unless the operator has looked and says `effectsHappened`: then the handler gets null for it and goes on.
 * Throws `invalid_job_id`, `job_not_found`, `transition_not_allowed` (it is running or has succeeded).
 */
export function retryJob(db: Queryable, id: string, options: { effectsHappened?: boolean } = {}): Promise<void> {
  return operate(db).retryJob(id, options);
}

/**
 * Cancels a waiting run at once (`'cancelled'`), or asks the worker of a running one to stop it (`'requested'`).
 * Throws `invalid_job_id`, `job_not_found`, `transition_not_allowed` (it has finished).
 */
export function cancelJob(
  db: Queryable,
  id: string,
  request: { by?: string; reason?: string } = {},
): Promise<'cancelled' | 'requested'> {
  return operate(db).cancelJob(id, request);
}

/**
 * Says that somebody has looked at a dead run and leaves it dead: no alert tells any more that it will go. Said twice, the first
 * moment stays. Throws `invalid_job_id`, `job_not_found`, `transition_not_allowed` (it is not dead).
 */
export function acknowledgeJob(db: Queryable, id: string): Promise<void> {
  return operate(db).acknowledgeJob(id);
}

/**
 * Frees the idempotency key of a dead or cancelled run, so that the same business event can be enqueued again; it counts as looked
 * at. What the run has done through `once` stays done for whoever has the key next. False: the run has no key, or another one has
 * it. The run itself can still be retried, and then works beside the new one.
 * Throws `invalid_job_id`, `job_not_found`, `transition_not_allowed` (it is live, or has succeeded).
 */
export function freeKey(db: Queryable, id: string): Promise<boolean> {
  return operate(db).freeKey(id);
}
