import type {
  Catalog,
  Collect,
  ContractOf,
  Isolation,
  JobContract,
  PayloadOf,
  ProgressOf,
  ResultOf,
} from '@duework/contracts';
import type { Queryable } from '@duework/sql';
import type { DurableOf } from '../steps/durable-context.js';
import type { Outcome } from '../settle/outcome.js';
import type { ObjectRef } from '../objects/object-store.js';
import type { ObjectSource } from '../objects/put-object.js';
import type { Once } from '../effects/effect-context.js';
import type { Json, Meta } from '../queue/job.js';
import type { ClaimedRun } from '../ports/runs.js';
import type { Clock } from '../clock.js';

/**
 * Does the work of one type. Returning nothing means `complete()`; after a throw the run is retried, unless the error
 * is permanent. `TAdded`: additions of the worker's middleware to the context.
 */
export type Handler<C extends JobContract = JobContract, TAdded extends object = object> = (
  context: JobContext<C> & DurableOf<C> & TAdded,
) => Promise<Outcome<ResultOf<C>> | void> | Outcome<ResultOf<C>> | void;

/**
 * The handler of a contract: `isolated(…)` with `isolate`, because a function cannot be sent to another process; a
 * function of many jobs with `collect`; otherwise of one.
 */
export type HandlerOf<C extends JobContract, TAdded extends object = object> = C extends { isolate: Isolation }
  ? IsolatedHandler
  : C extends { collect: Collect }
    ? CollectHandler<C, TAdded>
    : Handler<C, TAdded>;

/** One handler per contract of the catalog: a missing or a wrong one is a compile error. */
export type Handlers<TCatalog extends Catalog, TAdded extends object = object> = {
  readonly [TType in TCatalog[number]['type']]: HandlerOf<ContractOf<TCatalog, TType>, TAdded>;
};

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
  /** The job as it was claimed. */
  readonly run: ClaimedRun;
  /** The texts beside the payload; null: none. */
  readonly meta: Meta | null;
  /** Which attempt this is, counted from 1. */
  readonly attempt: number;
  /** Aborts when the attempt must end; `signal.reason` is an `AbortReason`. Pass it to everything that can wait. */
  readonly signal: AbortSignal;
  /** Grows with every claim of this run: a system that remembers it can refuse a worker that lost its lease. */
  readonly fence: number;
  /** Writes lines that carry the job's id, type and attempt. */
  readonly log: HandlerLog;
  /** Does something that leaves the system, such as a mail, once per business key across attempts and crashes. */
  readonly once: Once;
  /**
   * Shows how far the run is: plain JSON that fits the contract's `progress`, written at most once a second. Never
   * throws: a value that does not fit is left out and logged.
   */
  readonly progress: (value: ProgressOf<C> & Json) => void;
  /**
   * Writes an object, such as a file, into the store of large payloads without holding it in memory, and returns its
   * reference for the result or another job's payload. It is kept as long as this job. Throws `offload_missing`,
   * `store_unavailable`, and `AbortReason` when another worker has the run.
   */
  readonly putObject: (source: ObjectSource) => Promise<ObjectRef>;
  /**
   * Completes the run inside the handler's own transaction: its writes, its child jobs and its completion commit
   * together or not at all. Throws `AbortReason` (`lease_lost`) when another worker has the run, which rolls all of it
   * back.
   */
  readonly completeIn: (tx: Queryable, result?: ResultOf<C> & Json) => Promise<void>;
}

/** One of the jobs that a call gets: the context that a handler of one job has, and a way to settle it at once. */
export interface CollectedJob<C extends JobContract = JobContract> extends JobContext<C> {
  /**
   * Settles this job now, while the call continues with the others. The first outcome counts: later returns or throws
   * change nothing for it.
   */
  readonly settle: (outcome: Outcome<ResultOf<C>>) => void;
}

/** What a call has beside its jobs. */
export interface CallContext {
  /**
   * Aborts when none of its jobs may continue: the time limit is over, the worker stops, or all were cancelled or lost.
   * Each job also has its own signal.
   */
  readonly signal: AbortSignal;
  /** The value that its jobs share, as text; null: the contract has no `collect.by`. */
  readonly by: string | null;
}

type Given<C extends JobContract> = Outcome<ResultOf<C>> | void;

/**
 * The outcomes of a call: nothing: all are complete; a list: one for each, in order; a map: those of some, the others
 * are complete. `undefined` as an outcome means complete.
 */
export type CallOutcomes<C extends JobContract = JobContract> =
  | void
  | readonly Given<C>[]
  | ReadonlyMap<CollectedJob<C>, Given<C>>;

/**
 * Does the work of many jobs of one type in one call. After a throw each job that is not settled yet fails like any
 * failed attempt: charged, classified and retried on its own.
 */
export type CollectHandler<C extends JobContract = JobContract, TAdded extends object = object> = (
  jobs: readonly (CollectedJob<C> & TAdded)[],
  context: CallContext,
) => Promise<CallOutcomes<C>> | CallOutcomes<C>;

/** Of a contract whose `isolate` says nothing else. */
export const DEFAULT_MEMORY_MB = 128;
export const DEFAULT_MAX_JOBS = 1_000;

/** The worker that an isolated handler runs for: its processes are kept for it, never more than `concurrency`. */
export interface IsolatedHost {
  readonly concurrency: number;
}

/** What an isolated handler is asked before its worker claims anything. */
export interface IsolatedCheck {
  readonly type: string;
  readonly memoryMb: number;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** One attempt, as the engine hands it to an isolated handler. */
export interface IsolatedAttempt {
  readonly context: JobContext;
  readonly host: IsolatedHost;
  readonly memoryMb: number;
  /** How many attempts one process may run. */
  readonly maxJobs: number;
  /** How long the handler may ignore its signal before it is killed. */
  readonly graceMs: number;
  readonly clock: Clock;
}

/**
 * A handler that runs outside of the worker's process; `@duework/isolation` makes it. The engine knows only that `run`
 * resolves or rejects as a handler does, and rejects with a `HandlerKilledError` when the handler had to be killed.
 */
export interface IsolatedHandler {
  readonly kind: 'isolated';
  readonly module: URL;
  /** Loads the module as an attempt does. Rejects with a coded error that names the file when no attempt could run. */
  check(asked: IsolatedCheck): Promise<void>;
  run(attempt: IsolatedAttempt): Promise<Outcome<unknown> | void>;
  /** That worker runs nothing more: ends what is kept for it, of all its isolated handlers. */
  release(host: IsolatedHost): Promise<void>;
}

/**
 * Wraps every handler of a worker, for example with a trace, a tenant or a transaction. It may add to the context
 * (`TAdded`), change the outcome, or return one without the handler. If it throws, that is the attempt's error.
 */
export type Middleware<TAdded extends object = object, TNeeded extends object = object> = (
  context: JobContext & TNeeded,
  next: (added: TAdded) => Promise<Outcome<unknown>>,
) => Promise<Outcome<unknown>>;

/** Makes one middleware of two: `outer` runs around `inner`, which sees its additions; handlers see those of both. */
export function combineMiddleware<TOuter extends object, TInner extends object>(
  outer: Middleware<TOuter>,
  inner: Middleware<TInner, TOuter>,
): Middleware<TOuter & TInner> {
  return (context, next) =>
    outer(context, (added) => inner({ ...context, ...added }, (more) => next({ ...added, ...more })));
}
