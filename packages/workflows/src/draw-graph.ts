import type { Json } from '@duework/queue-core';
import type { WorkflowJob } from './workflow-job.js';

/** No job of a workflow can have this name. */
export const GRAPH_STEP = '$graph';
const MAX_LENGTH = 65_536;

/** The jobs of a workflow and what comes before them, for people to see; null: they are too many for a picture. */
export function drawGraph(jobs: readonly WorkflowJob[]): Json {
  const drawn = jobs.map(({ name, after, each }) => ({
    name,
    after: [...after],
    ...(each === null ? {} : { each: true }),
  }));
  return JSON.stringify(drawn).length > MAX_LENGTH ? null : drawn;
}
