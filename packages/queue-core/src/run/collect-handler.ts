import type { JobContract, ResultOf } from '@duework/contracts';
import type { JobContext } from './job-context.js';
import type { Outcome } from './outcome.js';

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
  void | readonly Given<C>[] | ReadonlyMap<CollectedJob<C>, Given<C>>;

/**
 * Does the work of many jobs of one type in one call. After a throw each job that is not settled yet fails like any
 * failed attempt: charged, classified and retried on its own.
 */
export type CollectHandler<C extends JobContract = JobContract, TAdded extends object = object> = (
  jobs: readonly (CollectedJob<C> & TAdded)[],
  context: CallContext,
) => Promise<CallOutcomes<C>> | CallOutcomes<C>;
