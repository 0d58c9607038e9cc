import type { Clock } from '../clock.js';
import type { Claim, ClaimRequest } from '../ports/runs.js';
import {
  claimRuns,
  EVERYWHERE,
  type ClaimBound,
  type ClaimBounds,
  type ClaimScope,
  type TimedClaim,
} from '../sql/claim/claim-runs.js';
import type { Queryable } from '@duework/sql';
import { ScanBudget, type ScanPrice } from './scan-budget.js';

/**
 * How far the lower bound stays behind the moment of the claim that sets it, so that runs whose transaction commits a
 * little late are found at once.
 */
const SLACK_SECONDS = 0.05;
const LIMITS = { share: 0.05, maxPauseMs: 10_000 };
/**
 * Where unbounded claims are slow, some claims begin at most so far behind the moment of the last one, as often as
 * `LATE_LIMITS` allows: what delays one commit for longer than the slack usually delays many, and would hide all their
 * runs until the next unbounded claim.
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
 * A claim of at least this many runs shows a backlog, which bounded claims serve: an unbounded one is due this much
 * later, and when bounded ones have taken twenty times as long.
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
 * backlog: there each claim begins right behind the last run of the one before, and passes by what others are claiming.
 * So what it walks over is what other workers have taken since, and not what they hold.
 *
 * The runs of a paused type are passed by in the same way: a bounded claim does not walk over them again, though there
 * be a million. When the pause ends, the bound is given up.
 */
export class BoundedClaims {
  readonly #queues = new Map<string, QueueBounds>();

  constructor(
    private readonly db: Queryable,
    private readonly clock: Clock,
  ) {}

  async claim(request: ClaimRequest): Promise<Claim> {
    for (;;) {
      const taken = await this.#look(request);
      if (!this.#hasResumed(request.queue, taken)) return taken;
      // the runs of what was paused are behind the bound, and a worker that found nothing would sleep now
      if (taken.runs.length > 0) return { ...taken, isPartial: true };
    }
  }

  #look(request: ClaimRequest): Promise<TimedClaim & Claim> {
    const queue = this.#boundsOf(request.queue);
    return queue.fullScans.look((isFull) => {
      if (isFull) return this.#take(request, EVERYWHERE);
      if (queue.fullScans.isSlow) return queue.late.look((isLate) => this.#takeFrom(request, isLate), priceOf);
      return this.#takeFrom(request, false);
    }, priceOf);
  }

  /**
   * Whether a pause has ended that kept earlier claims from runs. Their bound has passed those runs, so the next claim
   * is an unbounded one, whatever it costs. Claims that were sent before and answer later count, too.
   */
  #hasResumed(name: string, { pauses }: TimedClaim): boolean {
    const queue = this.#boundsOf(name);
    if (queue.passedPauses.every((pause) => pauses.includes(pause))) {
      queue.passedPauses = pauses;
      return false;
    }
    queue.passedPauses = pauses;
    queue.bounds = EVERYWHERE.bounds;
    queue.fullScans.demand();
    return true;
  }

  #takeFrom(request: ClaimRequest, isLate: boolean): Promise<TimedClaim & Claim> {
    const { bounds, nowSeconds } = this.#boundsOf(request.queue);
    const latest = { runAt: nowSeconds - LATE_SECONDS, id: 0 };
    return isLate
      ? this.#take(request, { bounds: bounds.map((bound) => earlier(bound, latest)), isPassing: true })
      : this.#take(request, { bounds, isPassing: true });
  }

  async #take(request: ClaimRequest, scope: ClaimScope): Promise<TimedClaim & Claim> {
    const queue = this.#boundsOf(request.queue);
    const isAhead = scope.bounds === queue.bounds;
    const taken = await claimRuns(this.db, request, scope);
    // a claim that began below the bound sets it anew, so that a bound that was too high is corrected
    queue.bounds = moveBounds(isAhead ? queue.bounds : scope.bounds, taken, request.limit);
    queue.nowSeconds = taken.nowSeconds;
    const [first] = taken.runs;
    const isPartial = scope !== EVERYWHERE;
    if (first === undefined) return { ...taken, isPartial };
    const isShared = Number(first.id) - queue.lastId > request.limit;
    queue.lastId = Number(taken.runs.at(-1)!.id);
    return { ...taken, isShared, isPartial };
  }

  #boundsOf(name: string): QueueBounds {
    let queue = this.#queues.get(name);
    if (queue === undefined) {
      queue = {
        bounds: EVERYWHERE.bounds,
        nowSeconds: -Infinity,
        passedPauses: [],
        lastId: Infinity,
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
  /** The moment of the last claim, on the database's clock. */
  nowSeconds: number;
  /** What was paused when the claims were made that have moved the bounds. */
  passedPauses: readonly string[];
  /**
   * The last run of the last claim. Ids are given in the order of enqueueing: where a whole claim's worth of them is left
   * out between two claims, others have taken those. Runs of another queue in between look the same, which only costs
   * speed.
   */
  lastId: number;
  readonly fullScans: ScanBudget;
  readonly late: ScanBudget;
}

const priceOf = ({ runs, tookMs }: TimedClaim): ScanPrice => {
  const isBacklog = runs.length >= BACKLOG;
  return {
    walkedMs: tookMs - FREE_MS - runs.length * FREE_MS_PER_RUN,
    pauseMs: isBacklog ? BACKLOG_PAUSE_MS : 0,
    backlogMs: isBacklog ? tookMs : 0,
  };
};

/**
 * Moves the bound of a priority to the claim's last run where the limit cut it off, or up to now where the claim has
 * emptied it; in either case it stays behind now by the slack.
 */
function moveBounds(bounds: ClaimBounds, { runs, nowSeconds }: TimedClaim, limit: number): ClaimBounds {
  const latest = { runAt: nowSeconds - SLACK_SECONDS, id: 0 };
  const last = runs.at(-1);
  const isCutOff = last !== undefined && runs.length >= limit;
  return bounds.map((bound, priority) => {
    if (isCutOff && priority > last.priority) return bound;
    const isLast = isCutOff && priority === last.priority;
    const reached = isLast ? earlier({ runAt: last.runAtMs / 1_000, id: Number(last.id) }, latest) : latest;
    return earlier(bound, reached) === bound ? reached : bound;
  });
}

/** Of equal ones the first. */
const earlier = (a: ClaimBound, b: ClaimBound): ClaimBound =>
  a.runAt < b.runAt || (a.runAt === b.runAt && a.id <= b.id) ? a : b;
