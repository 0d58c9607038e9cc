import type { PublishOptions } from '../enqueue/make-new-event.js';
import type { SignalOptions } from '../enqueue/make-new-signal.js';
import type {
  EventContract,
  EventInput,
  JobContract,
  PayloadInput,
  ResultOutput,
  SignalContract,
  SignalInput,
} from '@duework/contracts';
import type { Job, JobAttempt, JobStatus } from './job.js';
import type { JobChanges } from './job-verbs.js';
import type { EnqueueOptions, JobRequest } from '../enqueue/job-request.js';
import type { BatchVerbs } from '../batches/batches-over.js';
import type { Act } from '../ports/act.js';
import type { JobPage, Pause, QueueDepth } from '../ports/operator.js';
import type { EnqueuedJob, PublishedEvent } from '../ports/producer.js';
import type { Capable } from '../ports/store.js';
import type { ResultOptions } from './read-result.js';

/** A full queue may make its caller wait; when `signal` aborts, the wait ends and throws its reason. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** Who pauses a queue or a type, why, and for how long. */
export interface PauseOptions extends Act {
  /** When it resumes automatically; default: never. */
  readonly until?: Date | undefined;
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
 * one in this process. Each verb is the function of the same name, bound to its queue; verbs that its store cannot do
 * (`capabilities`) throw `not_supported`. `TDropped` is `null` for a queue that drops runs when it is full, and returns
 * null for them.
 */
export interface JobQueue<TDropped extends null = never> extends BatchVerbs<TDropped>, JobChanges, Capable {
  /** Its storage, for people: `PostgreSQL`; undefined: unknown. */
  readonly kind: string | undefined;
  enqueue<C extends JobContract>(
    contract: C,
    payload: PayloadInput<C>,
    options?: EnqueueOptions & WaitOptions,
  ): Promise<EnqueuedJob | TDropped>;
  /** Enqueues all or none. */
  enqueueMany(requests: readonly JobRequest[], options?: WaitOptions): Promise<EnqueuedJob[] | TDropped>;
  /** Sends a signal to the run that waits for it, or that will; whether one waited. See `signal`. */
  signal<S extends SignalContract>(contract: S, payload: SignalInput<S>, options?: SignalOptions): Promise<boolean>;
  /** Publishes an event: a job for each type that subscribes. See `publish`. */
  publish<E extends EventContract>(event: E, payload: EventInput<E>, options?: PublishOptions): Promise<PublishedEvent>;
  getJob(id: string): Promise<{ job: Job; attempts: JobAttempt[] }>;
  /** The result of a job that has succeeded, as its contract types it; see `readResult`. */
  result<C extends JobContract>(contract: C, id: string, options?: ResultOptions): Promise<ResultOutput<C>>;
  findJobs(listing?: JobListing): Promise<JobPage>;
  /**
   * Pauses a queue on every worker: runs that are claimed already go on, and no other one starts until it is resumed, or
   * `until` has passed. A pause that holds already is given this end, name and reason. Throws `invalid_option`.
   */
  pauseQueue(queue: string, options?: PauseOptions): Promise<Pause>;
  /** Resumes a queue: its runs start again at once. The pause that has ended; null: it was not paused. */
  resumeQueue(queue: string, act?: Act): Promise<Pause | null>;
  /** Pauses a type, in every queue. Throws `invalid_option`. */
  pauseType(type: string, options?: PauseOptions): Promise<Pause>;
  resumeType(type: string, act?: Act): Promise<Pause | null>;
  /** The pauses that hold, by kind and name. */
  listPauses(): Promise<Pause[]>;
  queueDepth(): Promise<QueueDepth[]>;
}
