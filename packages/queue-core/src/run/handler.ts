import type { Catalog, Collect, ContractOf, Isolation, JobContract, ResultOf } from '@duework/contracts';
import type { CollectHandler } from './collect-handler.js';
import type { IsolatedHandler } from './isolated-handler.js';
import type { JobContext } from './job-context.js';
import type { DurableOf } from '../steps/durable-context.js';
import type { Outcome } from '../settle/outcome.js';

export type { HandlerLog, JobContext } from './job-context.js';

/**
 * Does the work of one type. Returning nothing means `complete()`; after a throw the run is retried, unless the error
 * is permanent. `TAdded` is what the worker's middleware adds to the context.
 */
export type Handler<C extends JobContract = JobContract, TAdded extends object = object> = (
  context: JobContext<C> & DurableOf<C> & TAdded,
) => Promise<Outcome<ResultOf<C>> | void> | Outcome<ResultOf<C>> | void;

/**
 * What a contract takes: `isolated(…)` where it asks for isolation, because a function cannot be sent to another process;
 * a function of many jobs where it collects; else a function of one.
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
