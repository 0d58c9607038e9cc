import { setMaxListeners } from 'node:events';
import type { Seat } from './call-seat.js';
import type { CallContext } from './collect-handler.js';

/** The signal of a call: it aborts when none of its attempts may go on. It is made when a handler reads it. */
export class CallSignal {
  #controller: AbortController | null = null;
  readonly #going = new Set<Seat>();
  /** Why the last of the attempts was aborted; undefined: none was. */
  #reason: unknown = undefined;

  contextOf(seats: readonly Seat[], by: string | null): CallContext {
    const read = (): AbortSignal => this.#read(seats);
    return {
      by,
      get signal() {
        return read();
      },
    };
  }

  /** The attempt is over, or was aborted. */
  stop(seat: Seat): void {
    this.#going.delete(seat);
    if (this.#going.size === 0 && this.#reason !== undefined) this.#controller?.abort(this.#reason);
  }

  #read(seats: readonly Seat[]): AbortSignal {
    if (this.#controller !== null) return this.#controller.signal;
    this.#controller = new AbortController();
    setMaxListeners(0, this.#controller.signal);
    const going = seats.filter((seat) => seat.isGoingOn);
    for (const seat of going) this.#going.add(seat);
    for (const seat of going) this.#follow(seat, seat.job!.signal);
    return this.#controller.signal;
  }

  #follow(seat: Seat, signal: AbortSignal): void {
    const abort = (): void => {
      this.#reason = signal.reason;
      this.stop(seat);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
}
