import type { Catalog, ContractOf, Isolation, JobContract, PayloadOf, ResultOf } from '@duework/contracts';
import type { Once } from './effects/once.js';
import type { IsolatedHandler } from './isolated-handler.js';
import type { Json } from './job.js';
import type { Outcome } from './outcome.js';
import type { Queryable } from './sql/sql.js';
import type { ClaimedRun } from './ports/runs.js';

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
  /** From 1. */
  readonly attempt: number;
  /** Aborts when the attempt must end; `signal.reason` is a `AbortReason`. Pass it to everything that can wait. */
  readonly signal: AbortSignal;
  /** Grows with every claim of this run: an effect that remembers it can refuse a worker that lost its lease. */
  readonly fence: number;
  readonly log: HandlerLog;
  /** Does something that leaves the system, once per business key across attempts and crashes; see `makeOnce`. */
  readonly once: Once;
  /** Tells people how far the run is: plain JSON, kept on the run, written at most once a second. Never throws. */
  readonly progress: (value: Json) => void;
  /**
   * Completes the run inside the handler's own transaction: its writes, its child jobs and its completion commit
   * together or not at all. Throws `AbortReason` (`lease_lost`) when the run is somebody else's, which rolls all of it back.
   */
  readonly completeIn: (tx: Queryable, result?: ResultOf<C> & Json) => Promise<void>;
}

/**
 * Does the work of one type. Returning nothing means `complete()`; a throw means "unexpected": retried, unless the error
 * is of a permanent kind. `TAdded` is what the worker's middleware adds to the context.
 */
export type Handler<C extends JobContract = JobContract, TAdded extends object = object> = (
  context: JobContext<C> & TAdded,
) => Promise<Outcome<ResultOf<C>> | void> | Outcome<ResultOf<C>> | void;

/**
 * One handler per contract of the catalog: a missing or a wrong one is a compile error. A contract that asks for
 * isolation takes `isolated(…)`, because a function cannot be sent to another thread.
 */
export type Handlers<TCatalog extends Catalog, TAdded extends object = object> = {
  readonly [TType in TCatalog[number]['type']]: ContractOf<TCatalog, TType> extends { isolate: Isolation }
    ? IsolatedHandler
    : Handler<ContractOf<TCatalog, TType>, TAdded>;
};
