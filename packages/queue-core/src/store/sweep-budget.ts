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
  /** By the last sweep. */
  #walkedMs = 0;
  #paidMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: SweepLimits,
  ) {}

  /** Sweeps have something to walk, and so come seldom. */
  get isSlow(): boolean {
    return this.#paidMs > 0;
  }

  /**
   * Makes a look. One sweep at a time: whoever looks meanwhile goes on at the front. `walkedMs` is what a sweep took for walking; one
   * that is slow where the last one was not is a hiccup of the machine, and costs nothing. Where others would follow at once, the
   * next one comes no sooner than `pauseMs` later.
   */
  async look<T>(
    look: (isSweep: boolean) => Promise<T>,
    priceOf: (answer: T) => { readonly walkedMs: number; readonly pauseMs: number },
  ): Promise<T> {
    const { share, maxPauseMs } = this.limits;
    const startedMs = this.clock.monotonicMs();
    if (startedMs < this.#sweepAtMs) return look(false);
    this.#sweepAtMs = startedMs + maxPauseMs;
    try {
      const answer = await look(true);
      const { walkedMs, pauseMs } = priceOf(answer);
      this.#paidMs = Math.max(0, Math.min(walkedMs, this.#walkedMs));
      this.#walkedMs = walkedMs;
      this.#sweepAtMs = this.clock.monotonicMs() + Math.max(pauseMs, Math.min(this.#paidMs / share, maxPauseMs));
      return answer;
    } catch (error) {
      this.#sweepAtMs = startedMs;
      throw error;
    }
  }
}
