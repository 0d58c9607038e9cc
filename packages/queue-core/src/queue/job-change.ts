import type { Duration, JobContract, PayloadInput } from '@duework/contracts';

/** Changes of a waiting job; fields that you leave out stay. */
export type JobChange<C extends JobContract = JobContract> = {
  /** It is due at this moment. Not together with `delay`. */
  readonly runAt?: Date | undefined;
  /** It is due this long after the store's now; `'0s'`: at once. */
  readonly delay?: Duration | undefined;
  /** 0 (first) to 9 (last). */
  readonly priority?: number | undefined;
  /** Attempts charged before it is dead; more than it has spent. */
  readonly maxAttempts?: number | undefined;
  /** Largest payload in bytes of JSON; default 64 KiB. */
  readonly payloadLimitBytes?: number | undefined;
} & (
  | { readonly contract?: undefined; readonly payload?: undefined }
  /** Another payload, as today's version of its contract, which checks it. */
  | { readonly contract: C; readonly payload: PayloadInput<C> }
);
