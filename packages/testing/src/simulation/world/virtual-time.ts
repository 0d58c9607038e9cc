import type { WallClock } from '@duework/queue-core';
import { Heap, type Placed } from '../../memory/tables/heap.js';

interface Moment extends Placed {
  readonly atMs: number;
  readonly number: number;
  readonly callback: () => void;
}

const START_MS = Date.UTC(2026, 0, 1);

/**
 * Time that jumps from one event to the next: code takes no time, and timers of the same moment fire in the order in
 * which they were set.
 */
export class VirtualTime implements WallClock {
  readonly #moments = new Heap<Moment>((left, right) =>
    left.atMs === right.atMs ? left.number < right.number : left.atMs < right.atMs,
  );
  #nowMs = 0;
  #number = 0;

  now(): Date {
    return new Date(START_MS + this.#nowMs);
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(ms: number, callback: () => void): () => void {
    const moment: Moment = { atMs: this.#nowMs + Math.max(0, ms), number: this.#number++, callback, place: -1 };
    this.#moments.add(moment);
    return () => {
      if (moment.place >= 0) this.#moments.remove(moment);
    };
  }

  /** How many events there were. */
  get turns(): number {
    return this.#number;
  }

  /**
   * Goes to the next event and lets all work go on that follows from it and needs no time: promises and
   * `process.nextTick`. false: there is no event until `untilMs`.
   */
  async advance(untilMs: number): Promise<boolean> {
    const next = this.#moments.first();
    if (next === undefined || next.atMs > untilMs) return false;
    this.#moments.remove(next);
    this.#nowMs = next.atMs;
    next.callback();
    await new Promise((resolve) => setImmediate(resolve));
    return true;
  }
}
