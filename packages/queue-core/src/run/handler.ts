import type { Catalog, ContractOf, Isolation, JobContract, ResultOf } from '@duework/contracts';
import type { IsolatedHandler } from './isolated-handler.js';
import type { JobContext } from './job-context.js';
import type { Outcome } from './outcome.js';

export type { HandlerLog, JobContext } from './job-context.js';

/**
 * Does the work of one type. Returning nothing means `complete()`; after a throw the run is retried, unless the error
 * is permanent. `TAdded` is what the worker's middleware adds to the context.
 */
export type Handler<C extends JobContract = JobContract, TAdded extends object = object> = (
  context: JobContext<C> & TAdded,
) => Promise<Outcome<ResultOf<C>> | void> | Outcome<ResultOf<C>> | void;

/**
 * One handler per contract of the catalog: a missing or a wrong one is a compile error. A contract that asks for
 * isolation takes `isolated(…)`, because a function cannot be sent to another process.
 */
export type Handlers<TCatalog extends Catalog, TAdded extends object = object> = {
  readonly [TType in TCatalog[number]['type']]: ContractOf<TCatalog, TType> extends { isolate: Isolation }
    ? IsolatedHandler
    : Handler<ContractOf<TCatalog, TType>, TAdded>;
};
