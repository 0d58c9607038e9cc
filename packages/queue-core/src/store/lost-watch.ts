import type { Clock } from '../clock.js';
import type { LostLook } from '../ports/upkeep.js';
import { lookForLost, type TimedLook } from '../sql/leases/look-for-lost.js';
import type { Queryable } from '@duework/sql';
import { ScanBudget, type ScanPrice } from './scan-budget.js';

const LIMITS = { share: 0.01, maxPauseMs: 60_000 };
/**
 * The server time of a full scan of each registered worker that is not charged: what goes beyond it was spent on
 * scanning. All of them are counted, because each makes its own, so that the share is one of all of them together.
 */
const FREE_MS = 10;

/**
 * Looks for lost runs: it checks the workers' sessions every time, and the leases as often as `LIMITS` allows. There is
 * no index of leases, because each claim would pay for it: to check them scans all due runs, and rows that cannot be
 * vacuumed yet because a session of the database holds an old snapshot. Usually that is next to nothing; where a
 * million runs wait it takes 0.2 s, so that an expired lease is found up to 20 s later.
 */
export class LostWatch {
  readonly #budget: ScanBudget;

  constructor(
    private readonly db: Queryable,
    clock: Clock,
  ) {
    this.#budget = new ScanBudget(clock, LIMITS);
  }

  async look(): Promise<LostLook> {
    const { hasExpired, nowMs, missing } = await this.#budget.look((isFull) => lookForLost(this.db, isFull), priceOf);
    return { hasExpired, nowMs, missing };
  }
}

/** An expired lease costs nothing here, so that the next scan comes at once, until the run is rescued. */
const priceOf = ({ hasExpired, workers, tookMs }: TimedLook): ScanPrice => ({
  walkedMs: hasExpired ? 0 : tookMs * Math.max(workers, 1) - FREE_MS,
  pauseMs: 0,
  backlogMs: 0,
});
