import type { Clock } from '../clock.js';
import type { Claim, ClaimRequest } from '../ports/runs.js';
import { claimRuns, EVERYWHERE, type ClaimBounds, type ClaimScope, type TimedClaim } from '../sql/claim-runs.js';
import type { Queryable } from '../sql/sql.js';
import { ScanBudget } from './scan-budget.js';

/**
 * How far behind the front a claim still looks, so that runs whose transaction commits a little late are found at once.
 */
const SLACK_SECONDS = 0.05;
const LIMITS = { share: 0.05, maxPauseMs: 10_000 };
/**
 * Where full scans are slow, some claims look this far behind the front, as often as that may cost: whatever kept one transaction from
 * committing for longer than the slack keeps many, and hid all their runs until the next full scan.
 */
const LATE_SECONDS = 2;
const LATE_LIMITS = { share: 0.05, maxPauseMs: 1_000 };
/** What a full scan takes in the server beyond this it had to walk: past 1,500 runs that others run, say. Its commit and its way are not counted. */
const FREE_MS = 0.5;
const FREE_MS_PER_RUN = 0.02;
/** After a claim of so many there are others, which are for the front; a full scan is due this much later. */
const BACKLOG = 100;
const BACKLOG_PAUSE_MS = 100;

/**
 * Claims from the front of a queue. Work becomes due in the order of `run_at`, so the front only moves forward, and what was
 * taken behind it need not be walked again: those index entries stay for as long as the run lives, and for as long as any session of the
 * database holds an old snapshot, and a claim that walks them all gets slower with every job.
 *
 * A bound that is wrong costs delay, never a run: what commits late, is put into the past, or was locked and let go is found by the
 * next claim that looks everywhere, a full scan. As long as full scans are quick, which they are unless thousands run or somebody holds a snapshot, every claim
 * is one, but for those of a backlog: where claims follow each other, each begins where the one before has ended, and passes by what
 * others are taking.
 */
export class BoundedClaims {
  readonly #bounds = new Map<string, Front>();

  constructor(
    private readonly db: Queryable,
    private readonly clock: Clock,
  ) {}

  async claim(request: ClaimRequest): Promise<Claim> {
    const front = this.#boundsOf(request.queue);
    const take = async (reach: ClaimScope): Promise<TimedClaim> => {
      const taken = await claimRuns(this.db, request, reach);
      // the front of a claim that looks behind it is a new one: a bound that was too far forward is mended
      front.bounds = moveBounds(reach.isPassing ? front.bounds : reach.bounds, taken, request.limit);
      return taken;
    };
    const takeAhead = (): Promise<TimedClaim> => take({ bounds: front.bounds, isPassing: true });
    const takeLate = (): Promise<TimedClaim> =>
      take({ bounds: front.bounds.map((bound) => bound - LATE_SECONDS), isPassing: false });
    return front.fullScans.look((isFull) => {
      if (isFull) return take(EVERYWHERE);
      return front.fullScans.isSlow
        ? front.late.look((isLate) => (isLate ? takeLate() : takeAhead()), priceOf)
        : takeAhead();
    }, priceOf);
  }

  #boundsOf(queue: string): Front {
    let front = this.#bounds.get(queue);
    if (front === undefined) {
      front = {
        bounds: EVERYWHERE.bounds,
        fullScans: new ScanBudget(this.clock, LIMITS),
        late: new ScanBudget(this.clock, LATE_LIMITS),
      };
      this.#bounds.set(queue, front);
    }
    return front;
  }
}

interface Front {
  bounds: ClaimBounds;
  readonly fullScans: ScanBudget;
  readonly late: ScanBudget;
}

const priceOf = ({ runs, tookMs }: TimedClaim): { walkedMs: number; pauseMs: number } => ({
  walkedMs: tookMs - FREE_MS - runs.length * FREE_MS_PER_RUN,
  pauseMs: runs.length >= BACKLOG ? BACKLOG_PAUSE_MS : 0,
});

/** A priority that was emptied has been looked through up to now; one that was cut off by the limit, up to its last run. */
function moveBounds(bounds: ClaimBounds, { runs, nowSeconds }: TimedClaim, limit: number): ClaimBounds {
  const last = runs.at(-1);
  const isCutOff = last !== undefined && runs.length >= limit;
  return bounds.map((bound, priority) => {
    if (isCutOff && priority > last.priority) return bound;
    const reached = isCutOff && priority === last.priority ? last.runAtMs / 1_000 : nowSeconds;
    return Math.max(bound, reached - SLACK_SECONDS);
  });
}
