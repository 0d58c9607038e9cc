import type {
  Duration,
  InputOf,
  JobContract,
  OutputOf,
  PayloadInput,
  ResultOutput,
  SignalContract,
  SignalKey,
  SignalOutput,
  StandardSchema,
} from '@duework/contracts';
import type { Approval, ApprovalOptions, ChoiceOf } from '../approvals/approval.js';
import type { EnqueueOptions } from '../enqueue/job-request.js';
import type { Queryable } from '@duework/sql';
import type { Json } from '../queue/job.js';

type Work<T> = () => Promise<T> | T;

/**
 * Does something once per run, as far as its result is known: later attempts get the kept result. After a crash in the
 * middle it is done again. Return plain JSON of at most 256 KiB; a schema parses the kept result. Use a name once in a
 * run: number them in loops.
 *
 * Throws `StepFailedError` if the work threw, and `StepMisuseError`.
 */
export interface Step {
  <S extends StandardSchema>(
    name: string,
    work: Work<InputOf<S>>,
    options: { readonly result: S },
  ): Promise<OutputOf<S>>;
  <T extends Json | void>(name: string, work: Work<T>): Promise<T>;
  /**
   * The same inside your transaction: the writes through `tx` and the step commit together, so it is done exactly once.
   * An error of the work is thrown as it is, and is not kept. Throws `AbortReason` (`lease_lost`) when another worker
   * has the run, which rolls all of it back.
   */
  readonly in: <T extends Json | void, TTx extends Queryable>(
    tx: TTx,
    name: string,
    work: (tx: TTx) => Promise<T> | T,
  ) => Promise<T>;
}

/** How long a wait lasts at most; without a timeout as long as it takes. Its name is that of a step. */
export interface StepWaitOptions {
  readonly timeout?: Duration;
  readonly name?: string;
}

type OrNull<T, TOptions> = TOptions extends { readonly timeout: Duration } ? T | null : T;

/** How a job has ended that a handler has waited for. */
export interface JobEnd {
  readonly id: string;
  readonly status: 'succeeded' | 'dead' | 'cancelled';
  readonly result: Json;
  readonly errorCode: string | null;
  readonly error: string | null;
}

/** Options of a child as of any job, and the name of its step; default: its type. */
export interface ChildOptions extends EnqueueOptions {
  readonly name?: string;
}

/**
 * The additional context of a handler with `durable: true`. While it only waits, its run has no slot and no worker; the
 * handler is called again when the wait has ended.
 */
export interface DurableContext {
  /** Does something and keeps its result, which later attempts get back. After a crash in the middle it is done again. */
  readonly step: Step;
  /**
   * Whether this run goes the new way at this place: false for one that had gone past it with code that had no such mark, true
   * for all others, in every attempt. Its name is that of a step.
   */
  readonly patched: (name: string) => Promise<boolean>;
  /** Waits for a time, or until a moment. Its name is `sleep 3d` unless given. */
  readonly sleep: (time: Duration | Date, options?: { readonly name?: string }) => Promise<void>;
  /**
   * Waits for a signal with these values: the first that is sent, or one sent before and not received. null: none came
   * in time. Default name: `wait for ` and the signal's.
   */
  readonly waitFor: <S extends SignalContract, const TOptions extends StepWaitOptions>(
    signal: S,
    options: TOptions & { readonly where: SignalKey<S> },
  ) => Promise<OrNull<SignalOutput<S>, TOptions>>;
  /**
   * Asks somebody, and waits for the decision. null: nobody has decided in time. Throws `StepFailedError` if an operator has
   * failed the wait.
   */
  readonly waitForApproval: <const TOptions extends ApprovalOptions>(
    options: TOptions,
  ) => Promise<OrNull<Approval<ChoiceOf<TOptions>>, TOptions>>;
  /** Waits until a job has ended, however it ends. null: it has not in time. */
  readonly waitForJob: <const TOptions extends StepWaitOptions = object>(
    id: string,
    options?: TOptions,
  ) => Promise<OrNull<JobEnd, TOptions>>;
  /**
   * Enqueues a job, once in all attempts, and waits for its result. Throws `StepFailedError` if it is dead or
   * cancelled, with its error's code.
   */
  readonly child: <C extends JobContract>(
    contract: C,
    payload: PayloadInput<C>,
    options?: ChildOptions,
  ) => Promise<ResultOutput<C>>;
}

/** What the context of such a contract has more. */
export type DurableOf<C extends JobContract> = C['durable'] extends true ? DurableContext : object;
