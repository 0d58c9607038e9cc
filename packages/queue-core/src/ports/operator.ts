import type { Job, JobAttempt, JobStatus } from '../job.js';

/** Which runs to list, newest first; what runs: the longest due first. */
export interface JobFilter {
  readonly status?: JobStatus | undefined;
  readonly type?: string | undefined;
  readonly queue?: string | undefined;
  /** What the page before said: the store's own word for the place where this one begins. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  /**
   * Pass it as `cursor` for the next page; null: this was the last one. A page with few jobs, or none, need not be the last: each
   * may look at a bounded number of runs, few of which fit the filter.
   */
  readonly nextCursor: string | null;
}

/**
 * What waits and runs, by queue and type; `oldestWaitingSeconds` is 0 where nothing is due. `isAtLeast`: there is more in this
 * queue than was counted, perhaps of types that are not told at all.
 */
export interface QueueDepth {
  readonly queue: string;
  readonly type: string;
  readonly due: number;
  readonly scheduled: number;
  readonly retrying: number;
  readonly running: number;
  readonly oldestWaitingSeconds: number;
  readonly isAtLeast: boolean;
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
  /** Somebody has looked at a dead run, and leaves it so. false: it is not dead. */
  acknowledge(id: string): Promise<boolean>;
  /** Whether there was a key of its own to free; null: it is neither dead nor cancelled. */
  freeKey(id: string): Promise<boolean | null>;
  /** Live runs only, by queue and type, in the order of both. */
  queueDepth(): Promise<QueueDepth[]>;
}
