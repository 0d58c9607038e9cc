import type { InputOf, StandardSchema } from '@duework/contracts';
import type { FlowClient } from './flow.js';
import type { EnqueuedJob, Job, JobAttempt, JobPage, JobState } from './job.js';
import type { JobVerbs } from './job-verbs.js';
import type { EndedPage, EndedRequest } from './read-ended.js';
import type { RequestOptions } from './request-options.js';

export interface EnqueueRequest extends RequestOptions {
  /** The job is due at this moment; not together with `delaySeconds`. */
  readonly runAt?: Date | undefined;
  readonly delaySeconds?: number | undefined;
  /** 0 (first) to 9 (last). */
  readonly priority?: number | undefined;
  /** It is cancelled if it has not started this long after it was due; null: never, whatever the contract says. */
  readonly expiresAfterSeconds?: number | null | undefined;
  /** One of those that the type allows; its own unless given. */
  readonly queue?: string | undefined;
  /** The key of the business event: a second job with it is the first one. null: none, whatever the contract says. */
  readonly idempotencyKey?: string | null | undefined;
  readonly maxAttempts?: number | undefined;
}

export interface PublishRequest extends RequestOptions {
  /** Published again with it, the event is the first one. */
  readonly idempotencyKey?: string | undefined;
  readonly meta?: Readonly<Record<string, string>> | undefined;
}

/** An event that is published, and its jobs. */
export interface PublishedEvent {
  /** null: nothing is kept of it. */
  readonly id: string | null;
  readonly isDeduplicated: boolean;
  readonly jobs: readonly { readonly type: string; readonly id: string }[];
}

/** Changes of a waiting job. */
export interface JobChange {
  readonly payload?: unknown;
  /** It is due at this moment; not together with `delaySeconds`. */
  readonly runAt?: Date | undefined;
  /** It is due so many seconds from now. */
  readonly delaySeconds?: number | undefined;
  /** 0 (first) to 9 (last). */
  readonly priority?: number | undefined;
  readonly maxAttempts?: number | undefined;
  /** Why, for the audit. */
  readonly reason?: string | undefined;
}

/** What is asked of a contract; `defineJob` makes one, of whichever package. */
export interface AskedContract {
  readonly type: string;
  readonly version: number;
  readonly payload: StandardSchema;
  readonly result: StandardSchema;
}

/** One of many jobs of a contract. */
export type NewJob<C extends AskedContract> = { readonly payload: InputOf<C['payload']> } & Omit<
  EnqueueRequest,
  keyof RequestOptions
>;

export interface JobListing {
  /** `status:dead type:send_invoice error:ECONNREFUSED`; absent: every job. */
  readonly filter?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The queue over HTTP. Every verb throws `ClientError` if it is refused. */
export interface Client extends JobVerbs {
  /** Enqueues one job. The server checks the payload against its own contract of that type. */
  enqueue<C extends AskedContract>(
    contract: C,
    payload: InputOf<C['payload']>,
    request?: EnqueueRequest,
  ): Promise<EnqueuedJob>;
  /** Enqueues up to 1,000 jobs in one statement, all or none; returns them in the same order. */
  enqueueMany<C extends AskedContract>(
    contract: C,
    jobs: readonly NewJob<C>[],
    request?: RequestOptions,
  ): Promise<EnqueuedJob[]>;
  /** Publishes an event, which is a job for each type that subscribes. The server checks the payload. */
  publish<E extends { readonly name: string; readonly payload: StandardSchema }>(
    event: E,
    payload: InputOf<E['payload']>,
    request?: PublishRequest,
  ): Promise<PublishedEvent>;
  /** The state of a job now and after each change, until it has finished: `for await (const { status } of …)`. */
  follow(id: string, options?: Pick<RequestOptions, 'signal'>): AsyncIterable<JobState>;
  /**
   * What has ended, page by page and for ever, each end at least once: `for await (const { jobs, cursor } of …)`. Store the
   * cursor when you have handled the jobs, and begin behind it after a crash.
   */
  readEnded(request?: EndedRequest): AsyncIterable<EndedPage>;
  /** A job, live or finished, with its attempts that failed; given its contract, with a typed result. */
  getJob(id: string, options?: RequestOptions): Promise<{ job: Job; attempts: JobAttempt[] }>;
  /** The result of a job that has succeeded; null: it has none yet. */
  getResult<C extends AskedContract>(
    contract: C,
    id: string,
    options?: RequestOptions,
  ): Promise<InputOf<C['result']> | null>;
  /** Jobs, newest first, a page of `limit` at a time. */
  findJobs(listing?: JobListing, options?: RequestOptions): Promise<JobPage>;
  /** Changes a job that waits; the server checks a payload against its own contract. What is left out stays. */
  update(id: string, change: JobChange, options?: RequestOptions): Promise<Job>;
  /** The rules of flow control: limits, rates, orders, tenants and breakers. */
  readonly flow: FlowClient;
  /** Any other request to the API: its answer's JSON. A path begins with `/v1`. */
  request<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: RequestOptions & { readonly body?: unknown },
  ): Promise<T>;
}
