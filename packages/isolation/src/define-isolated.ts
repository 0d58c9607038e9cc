import type { JobContract, ResultOf } from '@duework/contracts';
import type { JobContext } from '@duework/queue-core';
import type { Outcome } from '@duework/queue-core/handling';

/**
 * The context of an isolated handler: without transactions, `putObject` and additions of middleware, which cannot leave the worker's
 * process.
 */
export type IsolatedContext<C extends JobContract = JobContract> = Omit<JobContext<C>, 'completeIn' | 'putObject'>;

export interface IsolatedFunction<C extends JobContract = JobContract> {
  (context: IsolatedContext<C>): Promise<Outcome<ResultOf<C>> | void> | Outcome<ResultOf<C>> | void;
  /** The type it was made for: under another type's name the module is refused before it does anything. */
  readonly jobType?: string;
}

/** Makes the default export of an isolated handler's module: `export default defineIsolated(renderReport, async (context) => …)`. */
export function defineIsolated<C extends JobContract>(
  contract: C,
  handler: (context: IsolatedContext<C>) => ReturnType<IsolatedFunction<C>>,
): IsolatedFunction<C> {
  return Object.assign((context: IsolatedContext<C>) => handler(context), { jobType: contract.type });
}
