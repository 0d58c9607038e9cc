/** Graphs of jobs: what runs after what, and what becomes of the rest when one of them fails. */
export { defineWorkflow, type Workflow, type WorkflowOptions } from './define-workflow.js';
export { Graph } from './graph.js';
export type { EachOptions, RunOptions, WorkflowJob } from './workflow-job.js';
export { workflowHandler } from './workflow-handler.js';
