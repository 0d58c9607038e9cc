import type { JobContract } from '@duework/contracts';
import type { ClaimedRun } from '../ports/runs.js';
import { AttemptAbort } from './attempt-abort.js';
import { HeldLease } from './leases/held-lease.js';
import { RUN_PHASES, type RunPhase } from './run-phase.js';

export const NOT_RUNNING = -1;

/** A run this worker holds the lease of, from its claim until its settlement is written. A class, as the entries of an `IdTable` are. */
export class HeldRun {
  readonly abort = new AttemptAbort();
  readonly lease: HeldLease;
  /** On the process clock. */
  readonly claimedMs: number;
  /** While its handler runs: since when, and its place among those that do, which the watch over the event loop keeps. */
  startedMs = -Infinity;
  runningAt = NOT_RUNNING;
  /** Starts the timer of its time limit; null: it runs, or there is no attempt to limit. */
  startTimer: (() => void) | null = null;
  #phase: RunPhase = 'buffered';

  /** `grantedMs`: when the lease was granted, on the process clock, taken before the statement was sent: never too late. */
  constructor(
    readonly run: ClaimedRun,
    readonly contract: JobContract,
    grantedMs: number,
  ) {
    this.lease = new HeldLease(run.id, run.fence, contract.leaseMs, grantedMs);
    this.claimedMs = grantedMs;
  }

  get phase(): RunPhase {
    return this.#phase;
  }

  /** Goes on to `next`; false: the phase it is in does not lead there, and nothing has changed. */
  enter(next: RunPhase): boolean {
    // guard: phase-refused
    if (!RUN_PHASES[this.#phase].includes(next)) return false;
    // guard end: phase-refused
    this.#phase = next;
    return true;
  }
}
