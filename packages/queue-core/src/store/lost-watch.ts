import type { Clock } from '../clock.js';
import type { LostLook } from '../ports/upkeep.js';
import { lookForLost, type TimedLook } from '../sql/look-for-lost.js';
import type { Queryable } from '../sql/sql.js';
import { ScanBudget } from './scan-budget.js';

const LIMITS = { share: 0.01, maxPauseMs: 60_000 };
/** What a full scan takes in the server beyond this it had to walk. */
const FREE_MS = 10;

/**
 * Looks for what was lost: workers whose session is gone every time, and leases that have ended as often as that may cost. There is no
 * index of leases, because each claim would pay for it: to look at them walks over all that is due, and over what
 * cannot be vacuumed yet because some session of the database holds an old snapshot. Next to nothing of that is usual; where a
 * million runs wait, it takes 0.2 s, so that a lease that has ended is found up to 20 s later.
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
    const { hasExpired, missing } = await this.#budget.look((isFull) => lookForLost(this.db, isFull), priceOf);
    return { hasExpired, missing };
  }
}

/** What was found is looked at again until somebody has rescued it. */
const priceOf = ({ hasExpired, tookMs }: TimedLook): { walkedMs: number; pauseMs: number } => ({
  // guard: lost-in-sight
  walkedMs: hasExpired ? 0 : tookMs - FREE_MS,
  // guard end: lost-in-sight
  pauseMs: 0,
});
