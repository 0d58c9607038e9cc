import type { Clock } from '../clock.js';
import type { Claim, ClaimRequest } from '../ports/runs.js';
import { claimRuns, EVERYWHERE, type ClaimBounds, type ClaimScope, type TimedClaim } from '../sql/claim-runs.js';
import type { Queryable } from '../sql/sql.js';
import { ScanBudget } from './scan-budget.js';

/**
 * How far the lower bound stays behind what was scanned, so that runs whose transaction commits a little late are found
 * at once.
 */
const SLACK_SECONDS = 0.05;
const LIMITS = { share: 0.05, maxPauseMs: 10_000 };
/**
 * Where unbounded claims are slow, some claims begin this far below the bound, as often as `LATE_LIMITS` allows: what
 * delays one commit for longer than the slack usually delays many, and would hide all their runs until the next
 * unbounded claim.
 */
const LATE_SECONDS = 2;
const LATE_LIMITS = { share: 0.05, maxPauseMs: 1_000 };
/**
 * The server time of an unbounded claim that is not charged. What goes beyond it was spent on scanning: past 1,500
 * running runs of other workers, say. The commit and the network are not counted.
 */
const FREE_MS = 0.5;
const FREE_MS_PER_RUN = 0.02;
/**
 * A claim of at least this many runs shows a backlog, which bounded claims serve; an unbounded one is due this much
 * later.
 */
const BACKLOG = 100;
const BACKLOG_PAUSE_MS = 100;

/**
 * Claims with a lower bound. Runs become due in the order of `run_at`, so what was claimed below the bound need not be
 * scanned again: its index entries stay while the run lives, and while any session of the database holds an old
 * snapshot, and a claim that scans them all gets slower with every job.
 *
 * A wrong bound delays a run, but never loses one: a run that is committed late, put into the past, or locked and let
 * go is found by the next unbounded claim, which scans the whole queue. As long as unbounded claims are quick (they
 * are, unless thousands of runs are running or somebody holds a snapshot), every claim is unbounded, except under a
 * backlog: there each claim begins where the one before has ended, and passes by what others are claiming.
 */
export class BoundedClaims {
  readonly #queues = new Map<string, QueueBounds>();

  constructor(
    private readonly db: Queryable,
    private readonly clock: Clock,
  ) {}

  async claim(request: ClaimRequest): Promise<Claim> {
    const queue = this.#boundsOf(request.queue);
    const take = async (scope: ClaimScope): Promise<TimedClaim> => {
      const taken = await claimRuns(this.db, request, scope);
      // a claim that began below the bound sets it anew, so that a bound that was too high is corrected
      queue.bounds = moveBounds(scope.isPassing ? queue.bounds : scope.bounds, taken, request.limit);
      return taken;
    };
    const takeAhead = (): Promise<TimedClaim> => take({ bounds: queue.bounds, isPassing: true });
    const takeLate = (): Promise<TimedClaim> =>
      take({ bounds: queue.bounds.map((bound) => bound - LATE_SECONDS), isPassing: false });
    return queue.fullScans.look((isFull) => {
      // guard: claim-unbounded
      if (isFull) return take(EVERYWHERE);
      // guard end: claim-unbounded
      // guard: claim-late
      return queue.fullScans.isSlow
        ? queue.late.look((isLate) => (isLate ? takeLate() : takeAhead()), priceOf)
        : takeAhead();
      // guard end: claim-late
    }, priceOf);
  }

  #boundsOf(name: string): QueueBounds {
    let queue = this.#queues.get(name);
    if (queue === undefined) {
      queue = {
        bounds: EVERYWHERE.bounds,
        fullScans: new ScanBudget(this.clock, LIMITS),
        late: new ScanBudget(this.clock, LATE_LIMITS),
      };
      this.#queues.set(name, queue);
    }
    return queue;
  }
}

interface QueueBounds {
  bounds: ClaimBounds;
  readonly fullScans: ScanBudget;
  readonly late: ScanBudget;
}

const priceOf = ({ runs, tookMs }: TimedClaim): { walkedMs: number; pauseMs: number } => ({
  walkedMs: tookMs - FREE_MS - runs.length * FREE_MS_PER_RUN,
  pauseMs: runs.length >= BACKLOG ? BACKLOG_PAUSE_MS : 0,
});

/**
 * Moves the bound of a priority up to now where the claim has emptied it, or to its last run where the limit cut it
 * off.
 */
function moveBounds(bounds: ClaimBounds, { runs, nowSeconds }: TimedClaim, limit: number): ClaimBounds {
  const last = runs.at(-1);
  const isCutOff = last !== undefined && runs.length >= limit;
  return bounds.map((bound, priority) => {
    if (isCutOff && priority > last.priority) return bound;
    const reached = isCutOff && priority === last.priority ? last.runAtMs / 1_000 : nowSeconds;
    return Math.max(bound, reached - SLACK_SECONDS);
  });
}
