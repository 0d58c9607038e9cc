import {
  ContractError,
  defineJob,
  type AnyJson,
  type InputOf,
  type JobContract,
  type JobOptions,
  type JsonSchema,
  type JsonSchemaOf,
  type OutputOf,
  type PlainJson,
  type StandardSchema,
} from '@duework/contracts';
import { Graph } from './graph.js';
import type { AnyKnown, Known, WorkflowJob } from './workflow-job.js';

/** The contract of a workflow: enqueued, scheduled, limited and cancelled as any other. */
export interface Workflow<
  TType extends string = string,
  TPayload extends StandardSchema = StandardSchema,
  TResult extends StandardSchema = StandardSchema,
> extends JobContract<TType, TPayload, TResult, undefined, AnyJson, undefined, true> {
  readonly jobs: readonly WorkflowJob[];
  /** null: it returns nothing. */
  readonly returns: ((known: AnyKnown) => unknown) | null;
}

/** Options of `defineWorkflow`: its jobs, and those of any contract. */
export interface WorkflowOptions<
  TType extends string,
  TPayload extends StandardSchema,
  TResult extends StandardSchema,
  TDone extends object,
> extends Omit<
  JobOptions<TType, TPayload, TResult, undefined, 1>,
  'version' | 'durable' | 'isolate' | 'collect' | 'progress'
> {
  /** Adds the jobs to an empty graph, one after the other. */
  readonly jobs: (graph: Graph<OutputOf<TPayload>>) => Graph<OutputOf<TPayload>, TDone>;
  /** The result of the workflow, made of those of its jobs; not given: nothing. */
  readonly returns?: (
    known: Known<OutputOf<TPayload>, NoInfer<TDone>, keyof NoInfer<TDone>>,
  ) => NoInfer<InputOf<TResult>>;
}

/**
 * Defines a workflow: jobs, each of which begins when those that it comes after have succeeded, with a payload made of
 * their results. It is a durable contract, and `workflowHandler` is its handler. Throws `ContractError` as `defineJob`
 * does, and `invalid_workflow` for a graph that cannot be.
 */
export function defineWorkflow<
  const TType extends string,
  TPayload extends StandardSchema,
  TDone extends object,
  TResult extends StandardSchema = AnyJson,
>(
  options: WorkflowOptions<TType, TPayload, TResult, TDone> &
    JsonSchemaOf<TPayload, 'payloadJsonSchema', JsonSchema> &
    PlainJson<TPayload, 'payload'> &
    PlainJson<TResult, 'result'>,
): Workflow<TType, TPayload, TResult> {
  const { jobs: add, returns = null, ...job } = options;
  const contract = defineJob({ ...job, durable: true } as never) as JobContract;
  const { jobs } = add(new Graph(contract.type));
  if (jobs.length === 0)
    throw new ContractError('invalid_workflow', `Workflow ${contract.type} has no jobs. Add one with .job(…).`);
  return Object.freeze({ ...contract, jobs, returns }) as never;
}
