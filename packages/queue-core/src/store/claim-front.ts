import type { Clock } from '../clock.js';
import { claimRuns, UNBOUNDED, type Claim, type ClaimBounds, type ClaimRequest } from '../sql/claim-runs.js';
import type { Queryable } from '../sql/sql.js';

/**
 * How far behind the front a claim still looks, so that runs whose transaction commits a little late are found at once.
 */
const SLACK_SECONDS = 0.05;
/** Unbounded claims take this share of the time at the most … */
const SWEEP_SHARE = 0.05;
/** … and one is made this often all the same. */
const MAX_SWEEP_PAUSE_MS = 5_000;

/**
 * Claims from the front of a queue. Work becomes due in the order of `run_at`, so the front only moves forward, and what was
 * taken behind it need not be walked again: those index entries stay for as long as any session of the database holds an old
 * snapshot, and a claim that walks them all gets slower with every job.
 *
 * A bound that is wrong costs delay, never a run: what commits late or is put into the past is found by the next claim without
 * bounds, a sweep. A sweep that is quick, which it is unless somebody holds a snapshot, is made very often.
 */
export class ClaimFront {
  readonly #fronts = new Map<string, { bounds: ClaimBounds; sweepAtMs: number }>();

  constructor(
    private readonly db: Queryable,
    private readonly clock: Clock,
  ) {}

  async claim(request: ClaimRequest): Promise<Claim> {
    const front = this.#fronts.get(request.queue);
    const startedMs = this.clock.monotonicMs();
    const isSweep = front === undefined || startedMs >= front.sweepAtMs;
    const claim = await claimRuns(this.db, request, isSweep ? UNBOUNDED : front.bounds);
    const endedMs = this.clock.monotonicMs();
    this.#fronts.set(request.queue, {
      bounds: moveBounds(isSweep ? UNBOUNDED : front.bounds, claim, request.limit),
      sweepAtMs: isSweep ? endedMs + Math.min((endedMs - startedMs) / SWEEP_SHARE, MAX_SWEEP_PAUSE_MS) : front.sweepAtMs,
    });
    return claim;
  }
}

/** A priority that was emptied has been looked through up to now; one that was cut off by the limit, up to its last run. */
function moveBounds(bounds: ClaimBounds, { runs, nowSeconds }: Claim & { nowSeconds: number }, limit: number): ClaimBounds {
  const last = runs.at(-1);
  const isCutOff = last !== undefined && runs.length >= limit;
  return bounds.map((bound, priority) => {
    if (!isCutOff || priority < last.priority) return nowSeconds - SLACK_SECONDS;
    return priority === last.priority ? last.runAtMs / 1_000 - SLACK_SECONDS : bound;
  });
}
