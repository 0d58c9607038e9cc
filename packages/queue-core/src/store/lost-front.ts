import type { Clock } from '../clock.js';
import { lookForLost, type LostLook } from '../sql/look-for-lost.js';
import type { Queryable } from '../sql/sql.js';

/** How far behind the last look the next one begins. A lease is in sight long before it ends, unless its statement commits a lease late. */
const SLACK_SECONDS = 0.1;
/** What a look everywhere takes beyond this had to walk: while there is nothing to walk, each look is one. */
const FREE_MS = 10;
/** Walking takes this share of the time at the most … */
const SWEEP_SHARE = 0.05;
/** … and is done this often all the same. */
const MAX_SWEEP_PAUSE_MS = 15_000;

/**
 * Looks for leases that have ended, from where the last look that found none has ended. The index of leases keeps an entry for
 * every claim for as long as any session of the database holds an old snapshot, and a look that walks them all took half a second after a
 * minute of a busy queue, every two seconds.
 *
 * A bound that is wrong costs delay, never a run: a look everywhere finds what was committed late. As long as those are quick, which
 * they are unless somebody holds a snapshot, every look is one.
 */
export class LostFront {
  #sinceSeconds = -Infinity;
  #sweepAtMs = -Infinity;

  constructor(
    private readonly db: Queryable,
    private readonly clock: Clock,
  ) {}

  async look(): Promise<LostLook> {
    const startedMs = this.clock.monotonicMs();
    const isSweep = startedMs >= this.#sweepAtMs;
    const { nowSeconds, ...look } = await lookForLost(this.db, isSweep ? -Infinity : this.#sinceSeconds);
    const endedMs = this.clock.monotonicMs();
    if (isSweep) this.#sweepAtMs = endedMs + Math.min(Math.max(0, endedMs - startedMs - FREE_MS) / SWEEP_SHARE, MAX_SWEEP_PAUSE_MS);
    // what was found stays in sight until somebody has rescued it
    if (!look.hasExpired) this.#sinceSeconds = nowSeconds - SLACK_SECONDS;
    return look;
  }
}
