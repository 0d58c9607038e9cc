import type { Duration } from '../duration.js';
import type { FlowBy } from '../flow/flow-options.js';

/** One run instead of many, and what a second enqueue does. */
export interface UniqueOptions<T> {
  /** The value that tells runs apart; default: `idempotencyKey`. */
  readonly by?: FlowBy<T>;
  /**
   * How long there is one: `'alive'` while it waits or runs, `'waiting'` until it is claimed, `'kept'` as long as it or its
   * history is kept. Default: `'waiting'` with `'replace'`, `'kept'` with `per`, else `'alive'`.
   */
  readonly while?: 'alive' | 'waiting' | 'kept';
  /** It holds no longer than the period in which it was enqueued; periods follow each other on the clock of the database, in UTC. */
  readonly per?: Duration;
  /**
   * - `'keep'` (default): the first one stays, and is the answer.
   * - `'replace'`: the one that waits gets the payload and the moment of the second: debounce.
   * - `'earliest'`: the one that waits is due at the earlier of both moments.
   * - `'refuse'`: the enqueue throws `job_exists`.
   * - `'cancel_running'`: the newest wins; the one that waits is cancelled, and the worker of a running one is asked to.
   * - `'once_more'`: the first runs now, and of all others within `per` one, with the last payload, at its end: throttle.
   */
  readonly onConflict?: 'keep' | 'replace' | 'earliest' | 'refuse' | 'cancel_running' | 'once_more';
  /** With `'replace'`: it is due no later than so long after its first enqueue, however often it is replaced. */
  readonly maxDelay?: Duration;
}

/** As enqueueing uses it. */
export interface UniqueRule {
  readonly while: 'alive' | 'waiting' | 'kept';
  /** null: no period. */
  readonly perMs: number | null;
  readonly onConflict: NonNullable<UniqueOptions<unknown>['onConflict']>;
  /** null: forever. */
  readonly maxDelayMs: number | null;
}
