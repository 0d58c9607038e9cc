import type { Job, JobAttempt, JobStatus } from '../job.js';

/** Which runs to list, newest first. */
export interface JobFilter {
  readonly status?: JobStatus | undefined;
  readonly type?: string | undefined;
  /** What the page before said: the store's own word for the place where this one begins. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  /** Pass it as `cursor` for the next page; null: this was the last one. */
  readonly nextCursor: string | null;
}

/** What waits and runs, by queue and type; `oldestWaitingSeconds` is 0 where nothing is due. */
export interface QueueDepth {
  readonly queue: string;
  readonly type: string;
  readonly due: number;
  readonly scheduled: number;
  readonly retrying: number;
  readonly running: number;
  readonly oldestWaitingSeconds: number;
}

/**
 * What people look at and change by hand. Each verb is atomic, and its answer says when it refused. An id that cannot be one
 * of this store's throws `invalid_job_id`: what ids look like is known to the store alone.
 */
export interface Operator {
  /** One run, live or finished, with its attempts that failed or were interrupted, oldest first; null: there is none. */
  find(id: string): Promise<{ job: Job; attempts: JobAttempt[] } | null>;
  statusOf(id: string): Promise<JobStatus | null>;
  /** Throws `invalid_cursor` for one that it did not say. Never called where the store has no `lists`. */
  list(filter: JobFilter): Promise<JobPage>;
  /** Settles its unknown effects too. false: it is running, has succeeded, or is not there. */
  retry(id: string, effectsHappened: boolean): Promise<boolean>;
  /** null: it has finished, or is not there. */
  cancel(id: string, by: string | null, reason: string | null): Promise<'cancelled' | 'requested' | null>;
  /** Live runs only, by queue and type, in the order of both. */
  queueDepth(): Promise<QueueDepth[]>;
}
