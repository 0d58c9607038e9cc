import type { JobContext } from './handler.js';
import type { Outcome } from '../settle/outcome.js';

/**
 * Wraps every handler of a worker: with a trace, a tenant, a unit of work. It may add to the context (`TAdded`), read
 * or change the outcome, or return one without calling the handler. What it throws is the attempt's error.
 */
export type Middleware<TAdded extends object = object, TNeeded extends object = object> = (
  context: JobContext & TNeeded,
  next: (added: TAdded) => Promise<Outcome<unknown>>,
) => Promise<Outcome<unknown>>;

/**
 * Makes one middleware of two: `outer` runs around `inner`, which sees what `outer` added; handlers see what both
 * added.
 */
export function combineMiddleware<TOuter extends object, TInner extends object>(
  outer: Middleware<TOuter>,
  inner: Middleware<TInner, TOuter>,
): Middleware<TOuter & TInner> {
  return (context, next) =>
    outer(context, (added) => inner({ ...context, ...added }, (more) => next({ ...added, ...more })));
}
