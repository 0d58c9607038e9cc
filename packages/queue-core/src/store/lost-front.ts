import type { Clock } from '../clock.js';
import { lookForLost, type LostLook } from '../sql/look-for-lost.js';
import type { Queryable } from '../sql/sql.js';
import { SweepBudget } from './sweep-budget.js';

/** How far behind the last look the next one begins. A lease is in sight long before it ends, unless its statement commits a lease late. */
const SLACK_SECONDS = 0.1;
/** A lease out of sight is one whose statement was committed after its end, which nobody has seen yet. */
const LIMITS = { share: 0.01, maxPauseMs: 60_000 };
/** What a sweep takes in the server beyond this it had to walk. */
const FREE_MS = 10;

/**
 * Looks for leases that have ended, from where the last look that found none has ended. The index of leases keeps an entry for
 * every claim for as long as any session of the database holds an old snapshot, and a look that walks them all took half a second after a
 * minute of a busy queue, every two seconds.
 *
 * A bound that is wrong costs delay, never a run: a sweep finds what was committed late.
 */
export class LostFront {
  readonly #budget: SweepBudget;
  #sinceSeconds = -Infinity;

  constructor(
    private readonly db: Queryable,
    clock: Clock,
  ) {
    this.#budget = new SweepBudget(clock, LIMITS);
  }

  async look(): Promise<LostLook> {
    const { nowSeconds, hasExpired, missing } = await this.#budget.look(
      (isSweep) => lookForLost(this.db, isSweep ? -Infinity : this.#sinceSeconds),
      ({ tookMs }) => ({ walkedMs: tookMs - FREE_MS, pauseMs: 0 }),
    );
    // what was found stays in sight until somebody has rescued it
    if (!hasExpired) this.#sinceSeconds = nowSeconds - SLACK_SECONDS;
    return { hasExpired, missing };
  }
}
