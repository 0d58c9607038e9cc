import { readMonotonicMs } from '../../clock.js';

const WINDOW_MS = 60_000;
/** Bounds the memory: beyond it the windows that have ended are forgotten, and then the oldest. */
const MAX_WINDOWS = 10_000;

/** What is left of a window. */
export interface Quota {
  /** Calls left; below 0: this one is over. */
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counts calls per name in windows of a minute, in this process. */
export class RateLimiter {
  readonly #windows = new Map<string, { endsMs: number; count: number }>();

  constructor(readonly perMinute: number) {}

  /** Counts one call. */
  take(name: string): Quota {
    const nowMs = readMonotonicMs();
    let window = this.#windows.get(name);
    if (window === undefined || window.endsMs <= nowMs) {
      this.#windows.delete(name);
      if (this.#windows.size >= MAX_WINDOWS) this.#forget(nowMs);
      this.#windows.set(name, (window = { endsMs: nowMs + WINDOW_MS, count: 0 }));
    }
    window.count++;
    return this.#quotaOf(window, nowMs);
  }

  /** What is left, without counting. */
  look(name: string): Quota {
    const nowMs = readMonotonicMs();
    const window = this.#windows.get(name);
    return window === undefined || window.endsMs <= nowMs
      ? { remaining: this.perMinute, resetSeconds: 0 }
      : this.#quotaOf(window, nowMs);
  }

  #quotaOf(window: { readonly endsMs: number; readonly count: number }, nowMs: number): Quota {
    return { remaining: this.perMinute - window.count, resetSeconds: Math.ceil((window.endsMs - nowMs) / 1_000) };
  }

  /** They are in the order in which they end. */
  #forget(nowMs: number): void {
    for (const [name, { endsMs }] of this.#windows) {
      if (endsMs > nowMs && this.#windows.size < MAX_WINDOWS) return;
      this.#windows.delete(name);
    }
  }
}
