import type { JobContract } from '@duework/contracts';
import {
  bury,
  complete,
  StepFailedError,
  type DurableContext,
  type Handler,
  type Json,
  type Outcome,
} from '@duework/queue-core';
import type { Workflow } from './define-workflow.js';
import { drawGraph, GRAPH_STEP } from './draw-graph.js';
import type { AnyKnown, Undo, WorkflowJob } from './workflow-job.js';

/** skipped: its result is null. stopped: it failed, or another one did before it began. */
type Ended = { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'skipped' | 'stopped' };

/** Enqueues a job, and returns its result when it has succeeded. */
type Child = (contract: JobContract, payload: unknown, options: { readonly name: string }) => Promise<unknown>;

interface ToUndo {
  readonly name: string;
  readonly undo: Undo;
  readonly result: unknown;
}

/**
 * The handler of a workflow. Each of its jobs is a child, enqueued when those before it have succeeded; the workflow
 * itself waits without a slot. Its first step is its graph, for people to see. If a job is dead or cancelled, running
 * jobs end, succeeded ones are undone, the last first, and the workflow is dead with `workflow_failed`.
 */
export function workflowHandler<W extends Workflow>(workflow: W): Handler<W> {
  const handle = async ({ payload, step, child }: DurableContext & { readonly payload: unknown }): Promise<Outcome> => {
    const [, outcome] = await Promise.all([
      step(GRAPH_STEP, () => drawGraph(workflow.jobs)),
      new WorkflowRun(workflow, payload, child as unknown as Child).run(),
    ]);
    return outcome;
  };
  return handle as unknown as Handler<W>;
}

/** One attempt of a workflow. It is made of what its children have returned alone, so that each attempt goes the same way. */
class WorkflowRun {
  readonly #ended = new Map<string, Promise<Ended>>();
  readonly #results: Record<string, unknown> = {};
  readonly #toUndo: ToUndo[] = [];
  #failed: { readonly name: string; readonly error: StepFailedError } | null = null;

  constructor(
    private readonly workflow: Workflow,
    private readonly input: unknown,
    private readonly child: Child,
  ) {}

  async run(): Promise<Outcome> {
    for (const job of this.workflow.jobs) this.#ended.set(job.name, this.#take(job));
    await Promise.all(this.#ended.values());
    if (this.#failed === null) {
      const { returns } = this.workflow;
      return returns === null ? complete() : complete(returns(this.#known()) as Json);
    }
    const { name, error } = this.#failed;
    const kept = await this.#undo();
    return bury(
      'workflow_failed',
      `Its job ${JSON.stringify(name)} failed with ${error.code}: ${error.message}${kept.length === 0 ? '' : ` Not undone: ${kept.join(', ')}.`}`,
    );
  }

  /** Undoes what has succeeded, the last first; the names of those of which that failed. */
  async #undo(): Promise<readonly string[]> {
    const kept: string[] = [];
    for (const { name, undo, result } of this.#toUndo.reverse())
      try {
        await this.child(undo.contract, undo.payload(result, this.#known()), { name: `undo ${name}` });
      } catch (error) {
        if (!StepFailedError.is(error)) throw error;
        kept.push(name);
      }
    return kept;
  }

  /** Waits for those before it, and does it. */
  async #take(job: WorkflowJob): Promise<Ended> {
    const before = await Promise.all(job.after.map((name) => this.#ended.get(name)!));
    if (this.#failed !== null || before.some(({ kind }) => kind === 'stopped')) return { kind: 'stopped' };
    if (job.when?.(this.#known(job)) === false) return this.#skip(job);
    try {
      const result = await this.#call(job);
      this.#results[job.name] = result;
      if (job.undo !== null) this.#toUndo.push({ name: job.name, undo: job.undo, result });
      return { kind: 'done', result };
    } catch (error) {
      if (!StepFailedError.is(error)) throw error;
      if (job.onFailure === 'skip') return this.#skip(job);
      this.#failed ??= { name: job.name, error };
      return { kind: 'stopped' };
    }
  }

  async #call(job: WorkflowJob): Promise<unknown> {
    const known = this.#known(job);
    const { each, contract, payload, name } = job;
    if (each === null) return this.child(contract, payload(null, known), { name });
    const items = each(known).map((item, at) =>
      this.child(contract, payload(item, known), { name: `${name} ${at + 1}` }),
    );
    const ended = await Promise.allSettled(items);
    return ended.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  }

  #skip(job: WorkflowJob): Ended {
    this.#results[job.name] = null;
    return { kind: 'skipped' };
  }

  /** The input, and the results of the jobs before this one; of all, where none is given. */
  #known(job?: WorkflowJob): AnyKnown {
    const names = job?.after ?? Object.keys(this.#results);
    return { input: this.input, ...Object.fromEntries(names.map((name) => [name, this.#results[name]])) };
  }
}
