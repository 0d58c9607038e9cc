import { DueworkError } from '@duework/sql/errors';

/** The fate of a call while `maxWaiting` calls are pending. */
export type WhenFull = 'wait' | 'refuse';

export interface CallBound {
  /** The most calls that may be without an answer; default 10,000. */
  readonly maxWaiting?: number;
  /**
   * A call beyond the bound: `'refuse'` (default) throws `queue_full` at once. `'wait'` waits for its turn, in the
   * order of the calls. A process that does not await its calls grows by a promise for each.
   */
  readonly whenFull?: WhenFull;
}

const DEFAULT_MAX_WAITING = 10_000;

/**
 * Lets a bounded number of calls be on their way: when the database hangs, the process that enqueues must not grow
 * until it runs out of memory. Throws `invalid_option` for a bound that is not a whole number of at least 1.
 */
export class CallAdmission {
  readonly #maxWaiting: number;
  readonly #whenFull: WhenFull;
  readonly #line = new Set<() => void>();
  #held = 0;

  constructor({ maxWaiting = DEFAULT_MAX_WAITING, whenFull = 'refuse' }: CallBound) {
    if (!Number.isInteger(maxWaiting) || maxWaiting < 1)
      throw new DueworkError('invalid_option', {
        option: 'maxWaiting',
        expected: 'a whole number of at least 1',
        value: maxWaiting,
      });
    if (whenFull !== 'wait' && whenFull !== 'refuse')
      throw new DueworkError('invalid_option', { option: 'whenFull', expected: '"wait" or "refuse"', value: whenFull });
    this.#maxWaiting = maxWaiting;
    this.#whenFull = whenFull;
  }

  /**
   * Makes the call, when there is room for it, and returns its answer. Throws what the call throws, `queue_full`, or
   * the signal's reason when it aborts before there was room.
   */
  async run<T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#held < this.#maxWaiting) this.#held++;
    else if (this.#whenFull === 'wait') await this.#stand(signal);
    else throw this.#full();
    try {
      signal?.throwIfAborted();
      return await call();
    } finally {
      this.#passOn();
    }
  }

  /** Resolves when an answered call hands over its place; no newer call can take that place in between. */
  #stand(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#line.delete(enter);
        reject(signal!.reason as Error);
      };
      const enter = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#line.add(enter);
    });
  }

  #passOn(): void {
    const [next] = this.#line;
    if (next === undefined) {
      this.#held--;
      return;
    }
    this.#line.delete(next);
    next();
  }

  #full(): DueworkError<'queue_full'> {
    return new DueworkError('queue_full', {
      requested: 1,
      live: this.#held,
      waiting: this.#line.size,
      capacity: this.#maxWaiting,
    });
  }
}
