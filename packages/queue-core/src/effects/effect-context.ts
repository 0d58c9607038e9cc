import type { Json } from '../queue/job.js';

/** What an effect's function gets. */
export interface EffectContext {
  /**
   * The same for every try of this effect, in any attempt: use it as Message-ID, or a payment provider's idempotency
   * key.
   */
  readonly key: string;
  /**
   * The effect may have happened before: a worker died between doing it and writing that down. Known once it has begun.
   */
  readonly isRepeat: boolean;
  /**
   * With `beginLate`: writes that the effect is about to happen. What comes before may be done again after a crash, so
   * call this at the last moment: connected, signed in, everything prepared.
   */
  readonly begin: () => Promise<void>;
}

export interface OnceOptions {
  /**
   * Whether an error proves that the effect did not happen, so that it may be tried again; after any other error nobody
   * knows. Default: the connection was never made.
   */
  readonly didNotHappen?: (error: unknown) => boolean;
  /**
   * The effect calls `begin` itself: a worker that dies before that has done nothing, and no person needs to decide.
   */
  readonly beginLate?: boolean;
  /**
   * The business event that the effect belongs to. Default: the run's idempotency key, or the run itself where it has
   * none. Give it where a second run for the same event must not repeat the effect: that run may have another key, or
   * the key has expired.
   */
  readonly key?: string;
}

/** `once(name, effect)`: see `makeOnce`. */
export type Once = <T extends Json | void>(
  name: string,
  effect: (about: EffectContext) => Promise<T> | T,
  options?: OnceOptions,
) => Promise<T>;
