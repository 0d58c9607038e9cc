import type { Duration, JobContract, PayloadInput } from '@duework/contracts';

export interface EnqueueOptions {
  /** Not before this moment; the store's now unless given. Not together with `delay`. */
  readonly runAt?: Date;
  /** Not before this long from the store's now. */
  readonly delay?: Duration;
  /** 0 (first) to 9 (last); the contract's unless given. */
  readonly priority?: number;
  /** The business event's key; the contract's unless given, and `null` for none. 1 to 255 characters. */
  readonly idempotencyKey?: string | null;
  /** Attempts charged before the run is dead; the contract's unless given. */
  readonly maxAttempts?: number;
  /** Largest payload in bytes of JSON; 64 KiB unless given. */
  readonly payloadLimitBytes?: number;
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
