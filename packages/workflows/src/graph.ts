import { ContractError, type JobContract, type PayloadInput, type ResultOutput } from '@duework/contracts';
import type { Always, EachOptions, JoinOptions, Known, RunOptions, Undo, WorkflowJob } from './workflow-job.js';

/** What is known with one more job. */
type With<TDone, TName extends string, TResult> = TDone & { readonly [K in TName]: TResult };

const NAME = /^[\w -]{1,63}$/;

/**
 * The jobs of a workflow, each after those that it waits for. Each call returns a larger graph. Throws `ContractError`
 * (`invalid_workflow`) for an unusable or repeated name, and for an unknown job.
 */
export class Graph<TInput, TDone extends object = object> {
  /** `jobs`: not given to begin with. */
  constructor(
    private readonly type: string,
    readonly jobs: readonly WorkflowJob[] = [],
  ) {}

  /** Adds a job, whose result is that of its contract; null: it was skipped. */
  run<const TName extends string, C extends JobContract, const TAfter extends keyof TDone & string = never>(
    name: TName,
    contract: C,
    options: RunOptions<C, Known<TInput, TDone, TAfter>, TAfter> & Always,
  ): Graph<TInput, With<TDone, TName, ResultOutput<C>>>;
  run<const TName extends string, C extends JobContract, const TAfter extends keyof TDone & string = never>(
    name: TName,
    contract: C,
    options: RunOptions<C, Known<TInput, TDone, TAfter>, TAfter>,
  ): Graph<TInput, With<TDone, TName, ResultOutput<C> | null>>;
  run(name: string, contract: JobContract, options: RunOptions<JobContract, never, string>): Graph<TInput, never> {
    const { payload } = options as unknown as { readonly payload: (known: unknown) => unknown };
    return this.#add(name, contract, options, { each: null, payload: (_, known) => payload(known) });
  }

  /**
   * Adds a job for each element of a list, all at once; the result is the list of theirs. One that fails makes all of them
   * fail, once the others have ended.
   */
  each<const TName extends string, C extends JobContract, TItem, const TAfter extends keyof TDone & string = never>(
    name: TName,
    contract: C,
    options: EachOptions<C, Known<TInput, TDone, TAfter>, TAfter, TItem> & Always,
  ): Graph<TInput, With<TDone, TName, readonly ResultOutput<C>[]>>;
  each<const TName extends string, C extends JobContract, TItem, const TAfter extends keyof TDone & string = never>(
    name: TName,
    contract: C,
    options: EachOptions<C, Known<TInput, TDone, TAfter>, TAfter, TItem>,
  ): Graph<TInput, With<TDone, TName, readonly ResultOutput<C>[] | null>>;
  each(
    name: string,
    contract: JobContract,
    options: EachOptions<JobContract, never, string, unknown>,
  ): Graph<TInput, never> {
    const { each, payload } = options as unknown as Pick<WorkflowJob, 'each' | 'payload'>;
    return this.#add(name, contract, options, { each, payload });
  }

  /** Names the job that undoes a succeeded one if the workflow fails later: the last first. */
  undo<const TName extends keyof TDone & string, C extends JobContract>(
    name: TName,
    contract: C,
    payload: (result: NonNullable<TDone[TName]>, known: { readonly input: TInput }) => PayloadInput<C>,
  ): Graph<TInput, TDone> {
    if (!this.jobs.some((job) => job.name === name))
      throw this.#refuse(`undoes ${JSON.stringify(name)}, but has no such job`);
    const undo = { contract, payload } as unknown as Undo;
    const jobs = this.jobs.map((job) => (job.name === name ? { ...job, undo } : job));
    return make(this.type, jobs);
  }

  #add(
    name: string,
    contract: JobContract,
    { after = [], when, onFailure = 'stop' }: JoinOptions<never, string>,
    { each, payload }: Pick<WorkflowJob, 'each' | 'payload'>,
  ): Graph<TInput, never> {
    const names = this.jobs.map((job) => job.name);
    if (!NAME.test(name) || name === 'input' || names.includes(name))
      throw this.#refuse(
        `cannot call a job ${JSON.stringify(name)}: a name is used once, is not "input", and has 1 to 63 letters, digits, spaces, "_" and "-"`,
      );
    const missing = after.find((other) => !names.includes(other));
    if (missing !== undefined)
      throw this.#refuse(`has ${JSON.stringify(name)} after ${JSON.stringify(missing)}, which must be added before it`);
    const job = { name, contract, after: [...after], when: when ?? null, onFailure, each, payload, undo: null };
    return make(this.type, [...this.jobs, job as WorkflowJob]);
  }

  #refuse(why: string): ContractError {
    return new ContractError('invalid_workflow', `Workflow ${this.type} ${why}.`);
  }
}

/** Outside of the class: one that names itself is kept in bundles that have no use for it. */
const make = (type: string, jobs: readonly WorkflowJob[]): Graph<never, never> => new Graph(type, jobs);
