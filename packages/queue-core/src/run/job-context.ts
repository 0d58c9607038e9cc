import type { JobContract, PayloadOf, ProgressOf, ResultOf } from '@duework/contracts';
import type { Once } from '../effects/effect-context.js';
import type { Json, Meta } from '../queue/job.js';
import type { ClaimedRun } from '../ports/runs.js';
import type { Queryable } from '@duework/sql';

/** The part of a logger that handlers get; pino has this shape. */
export interface HandlerLog {
  debug(facts: object, message?: string): void;
  info(facts: object, message?: string): void;
  warn(facts: object, message?: string): void;
  error(facts: object, message?: string): void;
}

/** What a handler gets. */
export interface JobContext<C extends JobContract = JobContract> {
  /** The payload, parsed again by the contract that this worker was built with. */
  readonly payload: PayloadOf<C>;
  readonly run: ClaimedRun;
  /** The texts beside the payload; null: none. */
  readonly meta: Meta | null;
  /** Counted from 1. */
  readonly attempt: number;
  /** Aborts when the attempt must end; `signal.reason` is an `AbortReason`. Pass it to everything that can wait. */
  readonly signal: AbortSignal;
  /** Grows with every claim of this run: a system that remembers it can refuse a worker that lost its lease. */
  readonly fence: number;
  readonly log: HandlerLog;
  /** Does something that leaves the system, once per business key across attempts and crashes; see `makeOnce`. */
  readonly once: Once;
  /**
   * Shows how far the run is: plain JSON that fits the contract's `progress`, written at most once a second. Never
   * throws: a value that does not fit is left out and logged.
   */
  readonly progress: (value: ProgressOf<C> & Json) => void;
  /**
   * Completes the run inside the handler's own transaction: its writes, its child jobs and its completion commit
   * together or not at all. Throws `AbortReason` (`lease_lost`) when another worker has the run, which rolls all of it
   * back.
   */
  readonly completeIn: (tx: Queryable, result?: ResultOf<C> & Json) => Promise<void>;
}
