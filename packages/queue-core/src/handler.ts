import type { Catalog, ContractOf, JobContract, PayloadOf } from '@duework/contracts';
import type { Outcome } from './outcome.js';
import type { ClaimedRun } from './store/store.js';

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
  /** Aborts when the attempt must end; `signal.reason` is a `StopReason`. Pass it to everything that can wait. */
  readonly signal: AbortSignal;
  /** Grows with every claim of this run: an effect that remembers it can refuse a worker that lost its lease. */
  readonly fence: number;
  readonly log: HandlerLog;
}

/**
 * Does the work of one type. Returning nothing means `complete()`; a throw means "unexpected": retried, unless the error
 * is of a permanent kind.
 */
export type Handler<C extends JobContract = JobContract> = (context: JobContext<C>) => Promise<Outcome | void> | Outcome | void;

/** One handler per contract of the catalog: a missing or a wrong one is a compile error. */
export type Handlers<TCatalog extends Catalog> = {
  readonly [TType in TCatalog[number]['type']]: Handler<ContractOf<TCatalog, TType>>;
};
