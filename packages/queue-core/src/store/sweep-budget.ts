import type { Clock } from '../clock.js';

export interface SweepLimits {
  /** Looking everywhere takes this share of the time at the most … */
  readonly share: number;
  /** … and is done this often all the same. */
  readonly maxPauseMs: number;
}

/**
 * Decides which looks at an index go everywhere, a sweep, and which begin where the last one has ended. What was taken keeps its index
 * entry for as long as any session of the database holds an old snapshot, and sweeps have to walk all of those. While there is nothing to
 * walk, every look is one.
 */
export class SweepBudget {
  #sweepAtMs = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly limits: SweepLimits,
  ) {}

  /**
   * Makes a look. One sweep at a time: whoever looks meanwhile goes on at the front. What a sweep takes beyond `freeMs` it had to walk;
   * where others would follow at once, the next one comes no sooner than `pauseMs` later.
   */
  async look<T>(look: (isSweep: boolean) => Promise<T>, priceOf: (answer: T) => { readonly freeMs: number; readonly pauseMs: number }): Promise<T> {
    const { share, maxPauseMs } = this.limits;
    const startedMs = this.clock.monotonicMs();
    if (startedMs < this.#sweepAtMs) return look(false);
    this.#sweepAtMs = startedMs + maxPauseMs;
    try {
      const answer = await look(true);
      const endedMs = this.clock.monotonicMs();
      const { freeMs, pauseMs } = priceOf(answer);
      this.#sweepAtMs = endedMs + Math.max(pauseMs, Math.min(Math.max(0, endedMs - startedMs - freeMs) / share, maxPauseMs));
      return answer;
    } catch (error) {
      this.#sweepAtMs = startedMs;
      throw error;
    }
  }
}
