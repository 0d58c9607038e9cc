import type { JobContract, PayloadInput } from '@duework/contracts';

/** The input of the workflow, and what the jobs that a job comes after have returned, by their names. */
export type Known<TInput, TDone, TAfter extends keyof TDone> = { readonly input: TInput } & {
  readonly [K in TAfter]: TDone[K];
};

/** What becomes of a workflow when one of its jobs is dead or cancelled. */
export type OnFailure = 'stop' | 'skip';

/** When a job of a workflow begins, and what its failure means. */
export interface JoinOptions<TKnown, TAfter> {
  /** The jobs that have to have ended before; not given: it begins with the workflow. */
  readonly after?: readonly TAfter[];
  /** Called once those have ended: with `false` the job is skipped, and its result is null. */
  readonly when?: (known: TKnown) => boolean;
  /**
   * `'stop'` (default): nothing else begins, what has succeeded and can be undone is undone, and the workflow is dead.
   * `'skip'`: the workflow goes on, and the result is null.
   */
  readonly onFailure?: OnFailure;
}

/** Of a job that is never skipped, so that its result is never null. */
export interface Always {
  readonly when?: undefined;
  readonly onFailure?: 'stop';
}

/** One job. */
export interface RunOptions<C extends JobContract, TKnown, TAfter> extends JoinOptions<TKnown, TAfter> {
  /** Made of what is known. It is called again in every attempt of the workflow, so it only computes. */
  readonly payload: (known: TKnown) => PayloadInput<C>;
}

/** One job for each element of a list, all at once. */
export interface EachOptions<C extends JobContract, TKnown, TAfter, TItem> extends JoinOptions<TKnown, TAfter> {
  /** It only computes, too. */
  readonly each: (known: TKnown) => readonly TItem[];
  readonly payload: (item: TItem, known: TKnown) => PayloadInput<C>;
}

export type AnyKnown = Readonly<Record<string, unknown>>;

/** A job of a workflow, as it is run. */
export interface WorkflowJob {
  readonly name: string;
  readonly contract: JobContract;
  readonly after: readonly string[];
  readonly when: ((known: AnyKnown) => boolean) | null;
  readonly onFailure: OnFailure;
  /** null: it is one job, not one for each element. */
  readonly each: ((known: AnyKnown) => readonly unknown[]) | null;
  readonly payload: (item: unknown, known: AnyKnown) => unknown;
  /** null: it stays when the workflow fails. */
  readonly undo: Undo | null;
}

export interface Undo {
  readonly contract: JobContract;
  readonly payload: (result: unknown, known: AnyKnown) => unknown;
}
