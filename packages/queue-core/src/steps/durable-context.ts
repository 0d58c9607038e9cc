import type { InputOf, JobContract, OutputOf, StandardSchema } from '@duework/contracts';
import type { Queryable } from '@duework/sql';
import type { Json } from '../queue/job.js';

type Work<T> = () => Promise<T> | T;

/**
 * Does something once per run, as far as its result is known: what has ended is kept, and later attempts get its result
 * without doing it. After a crash in the middle it is done again. What it returns is plain JSON of at most 256 KiB;
 * with a schema, what is kept is parsed by it. A name is used once in a run: number them in loops.
 *
 * Throws `StepFailedError` where the work threw, and `StepMisuseError`.
 */
export interface Step {
  <S extends StandardSchema>(
    name: string,
    work: Work<InputOf<S>>,
    options: { readonly result: S },
  ): Promise<OutputOf<S>>;
  <T extends Json | void>(name: string, work: Work<T>): Promise<T>;
  /**
   * The same inside the caller's transaction: what the work writes through `tx` and the step commit together, so it is
   * done exactly once. What the work throws is thrown as it is, and is kept by nothing. Throws `AbortReason`
   * (`lease_lost`) when another worker has the run, which rolls all of it back.
   */
  readonly in: <T extends Json | void, TTx extends Queryable>(
    tx: TTx,
    name: string,
    work: (tx: TTx) => Promise<T> | T,
  ) => Promise<T>;
}

/** What the handler of a contract with `durable: true` gets beside what every handler gets. */
export interface DurableContext {
  readonly step: Step;
}

/** What the context of such a contract has more. */
export type DurableOf<C extends JobContract> = C['durable'] extends true ? DurableContext : object;
