import type { JobContext } from './handler.js';
import type { Outcome } from './outcome.js';

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
