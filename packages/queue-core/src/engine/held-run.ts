import type { JobContract } from '@duework/contracts';
import type { ClaimedRun } from '../ports/runs.js';
import { HeldLease } from './leases/held-lease.js';
import { AttemptAbort } from './attempt-abort.js';

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
  /** Its settlement is on its way: that its row is gone means nothing any more. */
  isSettling = false;
  /** The handler has completed it inside a transaction of its own, which may or may not have been committed. */
  isCompletedIn = false;
  /** Its heartbeat has given it up meanwhile, which says nothing as long as that transaction may have completed it. */
  isGivenUp = false;
  /** Settled, released or lost: its lease is no longer ours. */
  isLetGo = false;

  /** `grantedMs`: when the lease was granted, on the process clock, taken before the statement was sent: never too late. */
  constructor(
    readonly run: ClaimedRun,
    readonly contract: JobContract,
    grantedMs: number,
  ) {
    this.lease = new HeldLease(run.id, run.fence, contract.leaseMs, grantedMs);
    this.claimedMs = grantedMs;
  }
}
