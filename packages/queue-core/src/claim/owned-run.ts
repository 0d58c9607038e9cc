import type { JobContract } from '@duework/contracts';
import type { ClaimedRun } from '../ports/runs.js';
import { AttemptAbort, type KeptLog } from '../run/attempt.js';
import { HeldLease } from '../leases/lease.js';
import { RUN_PHASES, type RunPhase } from '../run/run-phase.js';

export const NOT_RUNNING = -1;

/**
 * A run whose lease this worker holds, from its claim until its settlement is written. A class for the reason that
 * `IdTable`'s entries are.
 */
export class OwnedRun {
  readonly abort = new AttemptAbort(this);
  readonly lease: HeldLease;
  /** On the process clock. */
  readonly claimedMs: number;
  /** On the process clock: when it may not start any more, and when no retry of it may begin any more; Infinity: never. */
  readonly expiresMs: number;
  readonly retryUntilMs: number;
  /** While its handler runs: since when, and its index in the list of running handlers that `LoopWatch` keeps. */
  startedMs = -Infinity;
  runningAt = NOT_RUNNING;
  /** Starts the timer of its time limit; null: the timer was started, or there is no attempt to limit. */
  startTimer: (() => void) | null = null;
  /** Called when its lease was renewed or lost; null: nobody waits for that. */
  onLeaseNews: (() => void) | null = null;
  /** What its handler has logged; null: that is not kept, or it has not begun. */
  log: KeptLog | null = null;
  /** Writes the progress that its handler has reported last; null: all of it is written. Never rejects. */
  writeProgress: (() => Promise<unknown>) | null = null;
  /** It gathers, or is in a call with others; `OwnedRuns` alone writes this. */
  isSharing = false;
  #phase: RunPhase = 'buffered';

  /** `grantedMs`: the process clock before the claim was sent, so never later than the database granted the lease. */
  constructor(
    readonly run: ClaimedRun,
    readonly contract: JobContract,
    grantedMs: number,
  ) {
    this.lease = new HeldLease(run.id, run.fence, contract.leaseMs, grantedMs);
    this.claimedMs = grantedMs;
    this.expiresMs = toProcessClock(run, run.terms?.expiresAt, grantedMs);
    this.retryUntilMs = toProcessClock(run, run.terms?.retryUntil, grantedMs);
  }

  get phase(): RunPhase {
    return this.#phase;
  }

  /** Goes on to `next`; false: the present phase does not lead there, and nothing has changed. */
  enter(next: RunPhase): boolean {
    if (!RUN_PHASES[this.#phase].includes(next)) return false;
    this.#phase = next;
    return true;
  }
}

/** A moment of the store's clock, never later than it is: the claim was sent before the store looked at its clock. */
function toProcessClock({ runAtMs, waitedMs }: ClaimedRun, moment: string | undefined, grantedMs: number): number {
  return moment === undefined ? Infinity : grantedMs + Date.parse(moment) - (runAtMs + waitedMs);
}
