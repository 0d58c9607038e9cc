import type { Clock } from '../clock.js';
import type { LostLook } from '../ports/upkeep.js';
import { lookForLost, type TimedLook } from '../sql/leases/look-for-lost.js';
import type { Queryable } from '@duework/sql';
import { ScanBudget, type ScanPrice } from './scan-budget.js';

const LIMITS = { share: 0.01, maxPauseMs: 60_000 };
/**
 * The server time of the looks at leases of all registered workers that is not charged: what goes beyond it was spent on
 * many thousands that run, or on rows that cannot be vacuumed. All workers are counted, because each looks, so that the
 * share is one of all of them together.
 */
const FREE_MS = 50;

/**
 * Looks for lost runs: it checks the workers' sessions every time, and the leases as often as `LIMITS` allows, which is
 * every time unless very many run, or a session of the database holds an old snapshot. What is merely due is not read for
 * it, but in this worker's turn (`look-for-lost.ts`).
 */
export class LostWatch {
  readonly #budget: ScanBudget;
  #worker = '';
  #lastTurn: number | null = null;
  /** A turn has found a lease that is over; it may be taken when it is found again. */
  #isAll = false;

  constructor(
    private readonly db: Queryable,
    clock: Clock,
  ) {
    this.#budget = new ScanBudget(clock, LIMITS);
  }

  /** Says who looks. */
  named(worker: string): void {
    this.#worker = worker;
  }

  async look(): Promise<LostLook> {
    const { hasExpired, nowMs, missing, turn } = await this.#budget.look(
      (isFull) => lookForLost(this.db, { isFull, worker: this.#worker, lastTurn: this.#lastTurn, isAll: this.#isAll }),
      priceOf,
    );
    this.#lastTurn = turn ?? this.#lastTurn;
    this.#isAll = turn !== null && hasExpired;
    return { hasExpired, nowMs, missing };
  }
}

/** An expired lease costs nothing here, so that the next look comes at once, until the run is rescued. */
const priceOf = ({ hasExpired, workers, tookMs }: TimedLook): ScanPrice => ({
  walkedMs: hasExpired ? 0 : tookMs * Math.max(workers, 1) - FREE_MS,
  pauseMs: 0,
  backlogMs: 0,
});
