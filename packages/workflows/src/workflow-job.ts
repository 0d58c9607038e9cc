import type { JobContract, PayloadInput } from '@duework/contracts';

/** The input of the workflow, and the results of the jobs before, by their names. */
export type Known<TInput, TDone, TAfter extends keyof TDone> = { readonly input: TInput } & {
  readonly [K in TAfter]: TDone[K];
};

/** The fate of a workflow when a job is dead or cancelled. */
export type OnFailure = 'stop' | 'skip';

/** When a job of a workflow begins, and how it may fail. */
export interface JoinOptions<TKnown, TAfter> {
  /** The jobs that must end before; default: it begins with the workflow. */
  readonly after?: readonly TAfter[];
  /** Called once those have ended: with `false` the job is skipped, and its result is null. */
  readonly when?: (known: TKnown) => boolean;
  /**
   * `'stop'` (default): nothing else begins, succeeded jobs are undone if they can be, and the workflow is dead.
   * `'skip'`: the workflow continues, and the result is null.
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
  /** It must be pure, too. */
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
