import { AsyncResource } from 'node:async_hooks';
import { isRefusal } from '@duework/sql/errors';

/** Of no caller: a group goes on for others, whose tenant, user or trace is not that of the first. */
const outside = new AsyncResource('DueworkGroup');

interface Waiting<TCall, TAnswer> {
  readonly value: TCall;
  readonly resolve: (answer: TAnswer) => void;
  readonly reject: (error: unknown) => void;
  /** Called when its statement begins. */
  readonly begin: () => void;
}

export interface GroupOptions<TCall, TAnswer> {
  /**
   * Sends calls in one statement, all or none, and returns an answer to each, in their order; null: nothing was sent,
   * because one of them would have to wait.
   */
  readonly send: (values: readonly TCall[]) => Promise<readonly TAnswer[] | null>;
  /** Sends a call of a group that was not, while the group's others are sent, too. Absent: `send`, one by one. */
  readonly sendApart?: (value: TCall) => Promise<TAnswer>;
  /** The most calls of a statement. */
  readonly max: number;
  /** Called when no call waits any more. */
  readonly onIdle?: () => void;
}

/**
 * Sends the calls that arrive together in one statement: while one statement is on its way, the next calls gather. So a
 * call never gets the answer of a statement that had begun before it. Calls that the database refuses are sent one by
 * one, so that a bad one fails alone.
 *
 * Runs with different idempotency keys belong in one group only where `send` does not wait for a key that an open
 * transaction has taken, and `sendApart` does: else one run makes all others wait.
 */
export class CallGroup<TCall, TAnswer> {
  readonly #waiting = new Set<Waiting<TCall, TAnswer>>();
  #isSending = false;

  constructor(private readonly options: GroupOptions<TCall, TAnswer>) {}

  /** Throws the signal's reason when it aborts before the statement of this call has begun; later the answer decides. */
  call(value: TCall, signal?: AbortSignal): Promise<TAnswer> {
    return new Promise((resolve, reject) => {
      const waiting = { value, resolve, reject, begin: (): void => signal?.removeEventListener('abort', giveUp) };
      const giveUp = (): void => {
        this.#waiting.delete(waiting);
        reject(signal!.reason as Error);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiting);
      if (!this.#isSending) outside.runInAsyncScope(() => void this.#sendAll());
    });
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    // let the calls of this turn of the event loop gather
    await new Promise<void>((resolve) => process.nextTick(resolve));
    while (this.#waiting.size > 0) await this.#send(this.#take());
    this.#isSending = false;
    this.options.onIdle?.();
  }

  /** Takes the next calls, which their signals can no longer withdraw. */
  #take(): Waiting<TCall, TAnswer>[] {
    const group: Waiting<TCall, TAnswer>[] = [];
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting);
      waiting.begin();
      if (group.push(waiting) === this.options.max) break;
    }
    return group;
  }

  async #send(group: readonly Waiting<TCall, TAnswer>[]): Promise<void> {
    const { send, sendApart } = this.options;
    const sendEachApart = (): void => {
      for (const { value, resolve, reject } of group) sendApart!(value).then(resolve, reject);
    };
    try {
      const answers = await send(group.map(({ value }) => value));
      if (answers === null) sendEachApart();
      else group.forEach(({ resolve }, index) => resolve(answers[index]!));
    } catch (error) {
      if (sendApart !== undefined && isRefusal(error)) sendEachApart();
      else if (group.length > 1 && isRefusal(error)) for (const waiting of group) await this.#send([waiting]);
      else for (const { reject } of group) reject(error);
    }
  }
}
