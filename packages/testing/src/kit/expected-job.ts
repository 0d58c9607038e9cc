import type { JobContract, PayloadOf } from '@duework/contracts';

/** The fields of a payload that matter, at any depth. An array is given in full, its items in part. */
export type PartialPayload<T> = T extends readonly (infer TItem)[]
  ? readonly PartialPayload<TItem>[]
  : T extends object
    ? { readonly [K in keyof T]?: PartialPayload<T[K]> }
    : T;

/** Which job is meant; nothing given: any of the type. */
export interface ExpectedJob<C extends JobContract> {
  /** Held against today's shape of the payload, whatever version the job was stored with. */
  readonly payload?: PartialPayload<PayloadOf<C>>;
  /** Its idempotency key. */
  readonly key?: string;
}
