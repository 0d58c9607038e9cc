import type { Duration, JobContract, PayloadInput } from '@duework/contracts';
import type { Meta } from '../queue/job.js';

export interface EnqueueOptions {
  /** The run is due at this moment; default: the store's now. Not together with `delay`. */
  readonly runAt?: Date;
  /** The run is due this long after the store's now. */
  readonly delay?: Duration;
  /** 0 (first) to 9 (last); default: the contract's. */
  readonly priority?: number;
  /** One of the contract's `queues`; default: its `queue`. */
  readonly queue?: string;
  /** If it has not started this long after it was due, it is cancelled; default: the contract's; `null`: never. */
  readonly expiresAfter?: Duration | null;
  /** The business event's key; default: the contract's; `null`: none. Of over 255 characters its first 190 and its SHA-256 are kept. */
  readonly idempotencyKey?: string | null;
  /** Attempts charged before the run is dead; default: the contract's. */
  readonly maxAttempts?: number;
  /** Largest payload in bytes of JSON; default 64 KiB. */
  readonly payloadLimitBytes?: number;
  /** Texts to keep beside the payload, such as a `traceparent`; at most 2,048 bytes as JSON. */
  readonly meta?: Meta;
}

/** One job to enqueue, whose payload fits its contract; made by `jobRequest`. */
export interface JobRequest {
  readonly contract: JobContract;
  readonly payload: unknown;
  readonly options: EnqueueOptions;
}

/** A typed request for `enqueueMany`, so that one call can mix types. */
export function jobRequest<C extends JobContract>(
  contract: C,
  payload: PayloadInput<C>,
  options: EnqueueOptions = {},
): JobRequest {
  return { contract, payload, options };
}
