import type { JobContext } from './handler.js';
import type { Outcome } from './outcome.js';

/**
 * Something around every handler of a worker: a trace, a tenant, a unit of work. It may add to the context (`TAdded`),
 * look at the outcome, change it, or answer without calling the handler. What it throws is the attempt's error.
 */
export type Middleware<TAdded extends object = object, TNeeded extends object = object> = (
  context: JobContext & TNeeded,
  next: (added: TAdded) => Promise<Outcome>,
) => Promise<Outcome>;

/** Two as one: `outer` runs around `inner`, which sees what `outer` added; handlers see what both did. */
export function combineMiddleware<TOuter extends object, TInner extends object>(
  outer: Middleware<TOuter>,
  inner: Middleware<TInner, TOuter>,
): Middleware<TOuter & TInner> {
  return (context, next) =>
    outer(context, (added) => inner({ ...context, ...added }, (more) => next({ ...added, ...more })));
}
