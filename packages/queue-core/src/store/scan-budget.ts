import type { Clock } from '../clock.js';

export interface ScanLimits {
  /** Looking everywhere takes this share of the time at the most … */
  readonly share: number;
  /** … and is done this often all the same. */
  readonly maxPauseMs: number;
}

/**
 * Decides which looks at an index scan all of it, and which begin where the last one has ended. What was claimed keeps its
 * index entry for as long as any session of the database holds an old snapshot, and full scans walk all of those. While
 * there is nothing to walk, every look is a full scan.
 */
export class ScanBudget {
  #nextFullAtMs = -Infinity;
  /** By the last full scan. */
  #walkedMs = 0;
  #paidMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: ScanLimits,
  ) {}

  /** Full scans have something to walk, and so come seldom. */
  get isSlow(): boolean {
    return this.#paidMs > 0;
  }

  /**
   * Makes a look. One full scan at a time: whoever looks meanwhile begins at the bound. `walkedMs` is what a full scan took for
   * walking; one that is slow where the last one was not is a hiccup of the machine, and costs nothing. Where others would
   * follow at once, the next one comes no sooner than `pauseMs` later.
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
