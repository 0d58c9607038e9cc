import type { Clock } from '../clock.js';

export interface ScanLimits {
  /** Full scans take this share of the time at the most … */
  readonly share: number;
  /** … but one is made at least this often. */
  readonly maxPauseMs: number;
}

/**
 * Decides which scans of an index are full, and which begin where the last one has ended. A claimed run keeps its index
 * entry while any session of the database holds an old snapshot, and a full scan walks all those entries. While there
 * are none to walk, every scan is a full one.
 */
export class ScanBudget {
  #nextFullAtMs = -Infinity;
  /** What the last full scan took for walking. */
  #walkedMs = 0;
  #paidMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: ScanLimits,
  ) {}

  /** Whether full scans have entries to walk, so that they are made seldom. */
  get isSlow(): boolean {
    return this.#paidMs > 0;
  }

  /**
   * Makes a scan, a full one where the budget allows it. Only one full scan runs at a time: scans made meanwhile are
   * bounded. `walkedMs` is the time a full scan took for walking; a slow one after a quick one is a hiccup of the
   * machine, and is not charged. The next full scan comes no sooner than `pauseMs` later.
   */
  async look<T>(
    look: (isFull: boolean) => Promise<T>,
    priceOf: (answer: T) => { readonly walkedMs: number; readonly pauseMs: number },
  ): Promise<T> {
    const { share, maxPauseMs } = this.limits;
    const startedMs = this.clock.monotonicMs();
    // guard: full-scan-again
    if (startedMs < this.#nextFullAtMs) return look(false);
    // guard end: full-scan-again
    // guard: full-scan-one
    this.#nextFullAtMs = startedMs + maxPauseMs;
    // guard end: full-scan-one
    try {
      const answer = await look(true);
      const { walkedMs, pauseMs } = priceOf(answer);
      // guard: full-scan-hiccup
      this.#paidMs = Math.max(0, Math.min(walkedMs, this.#walkedMs));
      // guard end: full-scan-hiccup
      this.#walkedMs = walkedMs;
      this.#nextFullAtMs = this.clock.monotonicMs() + Math.max(pauseMs, Math.min(this.#paidMs / share, maxPauseMs));
      return answer;
    } catch (error) {
      // guard: full-scan-failed
      this.#nextFullAtMs = startedMs;
      // guard end: full-scan-failed
      throw error;
    }
  }
}
