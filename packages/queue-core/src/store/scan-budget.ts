import type { Clock } from '../clock.js';

export interface ScanLimits {
  /** Full scans take this share of the time at the most … */
  readonly share: number;
  /** … but one is made at least this often. */
  readonly maxPauseMs: number;
}

export interface ScanPrice {
  /** What a full scan took for walking; 0 or less: nothing. */
  readonly walkedMs: number;
  /** The next full scan comes no sooner than this. */
  readonly pauseMs: number;
  /** What the scan took in all, where it had a backlog to take from; otherwise 0. */
  readonly backlogMs: number;
}

/**
 * Decides which scans of an index are full, and which begin where the last one has ended. A claimed run keeps its index
 * entry while it runs, and while any session of the database holds an old snapshot, and a full scan walks all those
 * entries. While there are none to walk, every scan is a full one.
 *
 * Under a backlog full scans have their share of the time that scans take, instead of the time that passes: where many
 * workers share a server each of them scans seldom, and a share of the time for each would add up to all of it.
 */
export class ScanBudget {
  #nextFullAtMs = -Infinity;
  /** When a full scan comes however little the others have taken since the last one. */
  #latestFullAtMs = -Infinity;
  /** What the last full scan took for walking. */
  #walkedMs = 0;
  #paidMs = 0;
  /** What scans of a backlog have to take until the next full one. */
  #owedMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: ScanLimits,
  ) {}

  /** Whether full scans have entries to walk, so that they are made seldom. */
  get isSlow(): boolean {
    return this.#paidMs > 0;
  }

  /** Makes the next scan a full one, whatever the last ones have cost. */
  demand(): void {
    this.#nextFullAtMs = -Infinity;
    this.#owedMs = 0;
  }

  /**
   * Makes a scan, a full one where the budget allows it. Only one full scan runs at a time: scans made meanwhile are
   * bounded. A slow full scan after a quick one is a hiccup of the machine, and its walking is not charged.
   */
  async look<T>(look: (isFull: boolean) => Promise<T>, priceOf: (answer: T) => ScanPrice): Promise<T> {
    const startedMs = this.clock.monotonicMs();
    return this.#isFullDue(startedMs) ? this.#lookFully(look, priceOf, startedMs) : this.#lookBounded(look, priceOf);
  }

  #isFullDue(nowMs: number): boolean {
    if (nowMs < this.#nextFullAtMs) return false;
    return this.#owedMs <= 0 || nowMs >= this.#latestFullAtMs;
  }

  async #lookFully<T>(
    look: (isFull: boolean) => Promise<T>,
    priceOf: (answer: T) => ScanPrice,
    startedMs: number,
  ): Promise<T> {
    const { share, maxPauseMs } = this.limits;
    this.#nextFullAtMs = startedMs + maxPauseMs;
    try {
      const answer = await look(true);
      const { walkedMs, pauseMs, backlogMs } = priceOf(answer);
      this.#paidMs = Math.max(0, Math.min(walkedMs, this.#walkedMs));
      this.#walkedMs = walkedMs;
      this.#owedMs = backlogMs / share;
      const endedMs = this.clock.monotonicMs();
      this.#nextFullAtMs = endedMs + Math.max(pauseMs, Math.min(this.#paidMs / share, maxPauseMs));
      this.#latestFullAtMs = endedMs + maxPauseMs;
      return answer;
    } catch (error) {
      this.#nextFullAtMs = startedMs;
      throw error;
    }
  }

  async #lookBounded<T>(look: (isFull: boolean) => Promise<T>, priceOf: (answer: T) => ScanPrice): Promise<T> {
    const answer = await look(false);
    const { backlogMs } = priceOf(answer);
    // where the backlog has ended there is time for a full scan
    this.#owedMs = backlogMs === 0 ? 0 : this.#owedMs - backlogMs;
    return answer;
  }
}
