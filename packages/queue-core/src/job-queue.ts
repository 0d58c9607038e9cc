import type { JobContract, PayloadInput, ResultOutput } from '@duework/contracts';
import type { Job, JobAttempt, JobStatus } from './job.js';
import type { EnqueueOptions, JobRequest } from './job-request.js';
import type { JobPage, QueueDepth } from './ports/operator.js';
import type { EnqueuedJob } from './ports/producer.js';
import type { ResultOptions } from './read-result.js';

/** A full queue may make its caller wait; when `signal` aborts, the wait ends and throws its reason. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** Which jobs to list, a page of `limit` at a time. */
export interface JobListing {
  readonly status?: JobStatus | undefined;
  readonly type?: string | undefined;
  readonly queue?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * The queue for producers and operators, over any store: `openQueue(db)` makes one on PostgreSQL, `createMemoryQueue`
 * one in this process. Each verb is the function of the same name, bound to its queue. `TDropped` is `null` for a queue
 * that drops runs when it is full, and returns null for them.
 */
export interface JobQueue<TDropped extends null = never> {
  enqueue<C extends JobContract>(
    contract: C,
    payload: PayloadInput<C>,
    options?: EnqueueOptions & WaitOptions,
  ): Promise<EnqueuedJob | TDropped>;
  /** Enqueues all or none. */
  enqueueMany(requests: readonly JobRequest[], options?: WaitOptions): Promise<EnqueuedJob[] | TDropped>;
  getJob(id: string): Promise<{ job: Job; attempts: JobAttempt[] }>;
  /** The result of a job that has succeeded, as its contract types it; see `readResult`. */
  result<C extends JobContract>(contract: C, id: string, options?: ResultOptions): Promise<ResultOutput<C>>;
  findJobs(listing?: JobListing): Promise<JobPage>;
  retryJob(id: string, options?: { effectsHappened?: boolean }): Promise<void>;
  cancelJob(id: string, request?: { by?: string; reason?: string }): Promise<'cancelled' | 'requested'>;
  acknowledgeJob(id: string): Promise<void>;
  freeKey(id: string): Promise<boolean>;
  queueDepth(): Promise<QueueDepth[]>;
}
