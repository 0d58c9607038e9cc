import type { JobContract, PayloadOf, ResultOf } from '@duework/contracts';
import type { JobContext } from '../handler.js';
import type { Outcome } from '../outcome.js';

/** A handler that lives in a module of its own, to be run in a thread of its own. `contract` is never there at run time. */
export interface IsolatedHandler<C extends JobContract = JobContract> {
  readonly kind: 'isolated';
  readonly module: URL;
  readonly contract?: C;
}

/** The handler of a contract with `isolate`: the module's default export is made by `defineIsolated`. */
export function isolated<C extends JobContract>(module: URL): IsolatedHandler<C> {
  return { kind: 'isolated', module };
}

/** What an isolated handler gets: everything but the caller's transactions, which cannot cross threads. */
export type IsolatedContext<C extends JobContract = JobContract> = Omit<JobContext<C>, 'completeIn'>;

export type IsolatedFunction<C extends JobContract = JobContract> = (
  context: IsolatedContext<C>,
) => Promise<Outcome<ResultOf<C>> | void> | Outcome<ResultOf<C>> | void;

/** Types the default export of an isolated handler's module: `export default defineIsolated(renderReport, async (context) => …)`. */
export function defineIsolated<C extends JobContract>(_contract: C, handler: (context: IsolatedContext<C> & { readonly payload: PayloadOf<C> }) => ReturnType<IsolatedFunction<C>>): IsolatedFunction<C> {
  return handler;
}
