import type { JobContract, UniqueRule } from '@duework/contracts';
import type { JobStatus } from '../queue/job.js';
import type { RunTerms } from './runs.js';

/** What may be agreed for a run, in milliseconds from the moment at which it is due. */
export interface NewTerms {
  readonly expiresAfterMs?: number;
  readonly onExpired?: string;
  /** The type to enqueue when it is dead. */
  readonly onDead?: string;
  readonly retryForMs?: number;
  /** How long it may wait for more urgent ones. */
  readonly maxWaitMs?: number;
  /** The batch that it belongs to. */
  readonly batch?: string;
  /** Its payload is in an object, or names some: it needs them for as long as it is kept. */
  readonly hasObjects?: true;
}

/** A run to insert, checked against its contract. */
export interface NewRun {
  readonly type: string;
  readonly version: number;
  readonly queue: string;
  readonly priority: number;
  readonly maxAttempts: number;
  /** ISO 8601 text in UTC, because the caller's session may be in any time zone; null: the store's now. */
  readonly runAt: string | null;
  /** After the store's now; 0 if `runAt` is given. */
  readonly delayMs: number;
  /** The business event's key, for which there is one run per type; null: none. */
  readonly key: string | null;
  /** The rule of uniqueness of the key; null: the first run with it stays. */
  readonly unique: UniqueRule | null;
  /** How long the key holds; null: as long as its run is kept. */
  readonly keyWindowMs: number | null;
  readonly payloadJson: string;
  /** The payload is larger than a row may hold, so only a store that can offload it takes it. */
  readonly isLarge?: true;
  /** An object of texts as JSON; null: none. */
  readonly metaJson: string | null;
  /** Its gates, and terms for it alone; null: it runs as soon as it is due. */
  readonly flow: RunFlow | null;
}

export interface RunFlow {
  /** The keys that must all have room before the run is let in, in the order in which they are asked. */
  readonly gates?: readonly string[];
  /** How much it takes of each; not given: 1. */
  readonly units?: readonly number[];
  readonly terms?: NewTerms;
}

/**
 * The run that exists now. `isDeduplicated`: it existed before, under the same idempotency key. `payloadDiffers`: that one
 * has another payload, which stays, and the one that was given now is not stored; values that are encrypted, and payloads
 * of different versions, are not compared.
 */
export interface EnqueuedJob {
  readonly id: string;
  readonly type: string;
  readonly status: JobStatus;
  readonly runAt: Date;
  readonly isDeduplicated: boolean;
  readonly payloadDiffers: boolean;
}

/** A signal to send, checked against its contract. */
export interface NewSignal {
  readonly name: string;
  /** JSON text of the values by which a handler waits for it. */
  readonly key: string;
  readonly payloadJson: string;
}

/** An event to publish, checked against its contract. */
export interface NewEvent {
  readonly name: string;
  readonly version: number;
  readonly payloadJson: string;
  /** null: it may be published again. */
  readonly key: string | null;
  /** null: it is not kept. */
  readonly keepMs: number | null;
  readonly metaJson: string | null;
}

/** An event that is published, and the job that each subscriber has of it. */
export interface PublishedEvent {
  /** null: nothing is kept of it. */
  readonly id: string | null;
  /** It was published before, with the same key: these are the jobs of that time. */
  readonly isDeduplicated: boolean;
  readonly jobs: readonly { readonly type: string; readonly id: string }[];
}

/** When a job of a batch is enqueued: once all jobs have ended, once all have succeeded, when the first one is dead. */
export const BATCH_MOMENTS = ['onSettled', 'onSucceeded', 'onFirstDead'] as const;
export type BatchMoment = (typeof BATCH_MOMENTS)[number];

/** The batch of runs that are inserted: one that is there, or, with `callbacks`, a new one. */
export interface JoinedBatch {
  readonly id: string;
  readonly name?: string | null;
  readonly callbacks?: { readonly [M in BatchMoment]?: NewRun };
}

/** Inserts runs, and sends signals. `TDropped` is `null` for a store that may drop runs when it is full, and `never` for all others. */
export interface Producer<TDropped extends null = never> {
  /**
   * Writes runs, all or none, and answers with one for each, in their order; null: all were dropped. Of equal keys the
   * first wins. A store that is bounded may wait for room until `signal` aborts, and then throws its reason; or refuse
   * (`queue_full`).
   */
  insert(runs: readonly NewRun[], signal?: AbortSignal): Promise<EnqueuedJob[] | TDropped>;
  /**
   * The same for runs that belong to a batch, of which some may have a key that is taken: those belong to none. Throws
   * `batch_not_found` and `batch_settled`, and nothing is written then.
   */
  insertBatch(batch: JoinedBatch, runs: readonly NewRun[], signal?: AbortSignal): Promise<EnqueuedJob[] | TDropped>;
  /** Sends a signal to the run that has waited longest for it, or keeps it for the first that will; whether one waited. */
  sendSignal(signal: NewSignal): Promise<boolean>;
  /** Writes a run for each type that subscribes, all or none. */
  publish(event: NewEvent): Promise<PublishedEvent>;
}

/** What is agreed for a run of a contract, or for one whose enqueue has given another expiry; null: nothing. */
export function makeTerms(
  { expiresAfterMs: ofContract, onExpired, onDead, retryForMs, maxWaitMs: ofQueue, flow }: JobContract,
  expiresAfterMs = ofContract,
): NewTerms | null {
  // in a queue the contract is asked
  const maxWaitMs = flow === null ? null : ofQueue;
  const terms = {
    ...(expiresAfterMs === null ? {} : { expiresAfterMs }),
    ...(expiresAfterMs === null || onExpired === null ? {} : { onExpired }),
    ...(onDead === null ? {} : { onDead }),
    ...(retryForMs === null ? {} : { retryForMs }),
    ...(maxWaitMs === null ? {} : { maxWaitMs }),
  };
  return Object.keys(terms).length === 0 ? null : terms;
}

/** What was agreed for a run, counted from the moment at which it is due. */
export function toTerms(given: NewTerms | null, runAtMs: number): RunTerms | null {
  if (given === null) return null;
  const { expiresAfterMs, retryForMs, ...same } = given;
  const after = (ms: number): string => new Date(runAtMs + ms).toISOString();
  return {
    ...same,
    ...(expiresAfterMs === undefined ? {} : { expiresAt: after(expiresAfterMs) }),
    ...(retryForMs === undefined ? {} : { retryUntil: after(retryForMs) }),
  };
}

/** The way back; what has started does not expire. */
export function fromTerms(terms: RunTerms, runAtMs: number, hasStarted: boolean): NewTerms {
  const { expiresAt, retryUntil, onExpired, onDead } = terms;
  const msFromDue = (text: string): number => Date.parse(text) - runAtMs;
  return {
    ...(expiresAt === undefined || hasStarted ? {} : { expiresAfterMs: msFromDue(expiresAt) }),
    ...(retryUntil === undefined ? {} : { retryForMs: msFromDue(retryUntil) }),
    ...(onExpired === undefined ? {} : { onExpired }),
    ...(onDead === undefined ? {} : { onDead }),
  };
}
