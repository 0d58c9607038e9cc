import type { JobContract } from '@duework/contracts';
import type { Job, JobAttempt } from './job.js';
import type { JobChange } from './job-change.js';
import type { JobListing, RetryOptions } from './job-queue.js';
import { operateOn } from './operate-on.js';
import type { Act } from '../ports/act.js';
import type { JobPage } from '../ports/operator.js';
import type { Queryable } from '@duework/sql';
import { POSTGRES_CAPABILITIES } from '../store/postgres-capabilities.js';
import { postgresOperator } from '../store/postgres-operator.js';

const operate = (db: Queryable): ReturnType<typeof operateOn> => operateOn(postgresOperator(db), POSTGRES_CAPABILITIES);

/** One run and its attempts. Throws `invalid_job_id`, `job_not_found`. */
export function getJob(db: Queryable, id: string): Promise<{ job: Job; attempts: JobAttempt[] }> {
  return operate(db).getJob(id);
}

/**
 * Lists runs, newest first (running ones the longest due first), at most `limit` a page (1 to 200, default 50). Throws
 * `invalid_cursor`, `invalid_option`.
 */
export function findJobs(db: Queryable, listing: JobListing = {}): Promise<JobPage> {
  return operate(db).findJobs(listing);
}

/**
 * Runs a job now: a waiting run becomes due, a dead or cancelled one comes back with all its attempts. A run that is
 * dead with `effect_unknown` does the effect again, under the same key, unless you have checked and pass
 * `effectsHappened`: then `once` returns null for it and the handler continues. With `fromStep` a durable handler takes
 * that step and all later ones again: their children are enqueued again, except those that have succeeded under a key
 * of their contract. Throws `invalid_job_id`, `job_not_found`, `step_not_found`, `transition_not_allowed` (it is
 * running or has succeeded).
 */
export function retryJob(db: Queryable, id: string, options: Act & RetryOptions = {}): Promise<void> {
  return operate(db).retryJob(id, options);
}

/**
 * Cancels a waiting run at once (`'cancelled'`), or asks the worker of a running one to cancel it (`'requested'`).
 * Throws `invalid_job_id`, `job_not_found`, `transition_not_allowed` (it has finished).
 */
export function cancelJob(db: Queryable, id: string, act: Act = {}): Promise<'cancelled' | 'requested'> {
  return operate(db).cancelJob(id, act);
}

/**
 * Changes a waiting run: its payload, due time, priority, number of attempts. Fields that you leave out stay. If a
 * claim comes first, the change is refused; otherwise the worker gets the changed run. The idempotency key stays,
 * whatever the payload. Throws `invalid_job_id`, `job_not_found`, `job_is_running`, `job_is_over`, `wrong_job_type`,
 * `invalid_option`, and for a payload what `enqueue` throws.
 */
export function updateJob<C extends JobContract>(
  db: Queryable,
  id: string,
  change: JobChange<C>,
  act: Act = {},
): Promise<void> {
  return operate(db).updateJob(id, change, act);
}

/**
 * Acknowledges a dead run: it stays dead, and no alert announces its deletion. When called twice, the first time stays.
 * Throws `invalid_job_id`, `job_not_found`, `transition_not_allowed` (it is not dead).
 */
export function acknowledgeJob(db: Queryable, id: string, act: Act = {}): Promise<void> {
  return operate(db).acknowledgeJob(id, act);
}

/**
 * Frees the idempotency key of a dead or cancelled run, so that the same business event can be enqueued again, and
 * acknowledges the run. Its effects of `once` stay done for the next run with that key. false: the run has no key, or
 * another run has it. The run can still be retried, and then runs beside the new one. Throws `invalid_job_id`,
 * `job_not_found`, `transition_not_allowed` (it is live, or has succeeded).
 */
export function freeKey(db: Queryable, id: string, act: Act = {}): Promise<boolean> {
  return operate(db).freeKey(id, act);
}
