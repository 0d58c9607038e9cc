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
   * With `beginLate`: records that the effect is about to happen. Work before it may be repeated after a crash, so call
   * this at the last moment: connected, signed in, all prepared.
   */
  readonly begin: () => Promise<void>;
}

export interface OnceOptions {
  /**
   * Whether an error proves that the effect did not happen; after any other that is unknown. Default: no connection was
   * made, or the answer was SMTP 4yz or 5yz, or HTTP 429.
   */
  readonly didNotHappen?: (error: unknown) => boolean;
  /**
   * The effect calls `begin` itself: a worker that dies before that has done nothing, and no person needs to decide.
   */
  readonly beginLate?: boolean;
  /**
   * The business event of the effect. Default: the run's idempotency key, or the run itself if it has none. Give it if
   * a later run for the same event may have another key, or its key may have expired.
   */
  readonly key?: string;
}

/** `once(name, effect)`: see `makeOnce`. */
export type Once = <T extends Json | void>(
  name: string,
  effect: (about: EffectContext) => Promise<T> | T,
  options?: OnceOptions,
) => Promise<T>;
