import type { JobContract, ResultOf } from '@duework/contracts';
import type { JobContext } from '../handler.js';
import type { Outcome } from '../outcome.js';

/** A handler that lives in a module of its own, to be run apart from the worker. */
export interface IsolatedHandler {
  readonly kind: 'isolated';
  readonly module: URL;
}

/**
 * The handler of a contract with `isolate`: the module's default export is made by `defineIsolated`, which is what types
 * it, because a module that is named by a URL has no types. Under another type's name it is refused when it is loaded.
 */
export function isolated(module: URL): IsolatedHandler {
  return { kind: 'isolated', module };
}

/**
 * What an isolated handler gets: everything but the caller's transactions and what middleware adds, which cannot leave
 * the worker's process.
 */
export type IsolatedContext<C extends JobContract = JobContract> = Omit<JobContext<C>, 'completeIn'>;

export interface IsolatedFunction<C extends JobContract = JobContract> {
  (context: IsolatedContext<C>): Promise<Outcome<ResultOf<C>> | void> | Outcome<ResultOf<C>> | void;
  /** The type it was made for: a module under another type's name is refused before it does anything. */
  readonly jobType?: string;
}

/** Makes the default export of an isolated handler's module: `export default defineIsolated(renderReport, async (context) => …)`. */
export function defineIsolated<C extends JobContract>(
  contract: C,
  handler: (context: IsolatedContext<C>) => ReturnType<IsolatedFunction<C>>,
): IsolatedFunction<C> {
  return Object.assign((context: IsolatedContext<C>) => handler(context), { jobType: contract.type });
}
