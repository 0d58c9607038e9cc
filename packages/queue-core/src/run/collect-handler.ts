import type { JobContract, ResultOf } from '@duework/contracts';
import type { JobContext } from './job-context.js';
import type { Outcome } from '../settle/outcome.js';

/** One of the jobs that a call gets: the context that a handler of one job has, and a way to settle it at once. */
export interface CollectedJob<C extends JobContract = JobContract> extends JobContext<C> {
  /**
   * Settles this job now, while the call goes on with the others. The first outcome counts: what the call returns or
   * throws later changes nothing for it.
   */
  readonly settle: (outcome: Outcome<ResultOf<C>>) => void;
}

/** What a call has beside its jobs. */
export interface CallContext {
  /**
   * Aborts when none of its jobs may go on: the time limit is over, the worker stops, or all of them were cancelled or
   * lost. Each job has a signal of its own, too.
   */
  readonly signal: AbortSignal;
  /** The value that its jobs share, as text; null: the contract has no `collect.by`. */
  readonly by: string | null;
}

type Given<C extends JobContract> = Outcome<ResultOf<C>> | void;

/**
 * What became of the jobs of a call: nothing, all are complete; a list, the outcome of each in their order; a map, the
 * outcomes of some, and the others are complete. `undefined` in the place of an outcome means complete, too.
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
