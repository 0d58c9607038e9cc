import type { Queryable } from '@duework/queue-core';
import { findJobTypes } from '../search/sql/find-job-types.js';
import type { JobStep, StepPage } from './job-step.js';
import { writeSentence } from './write-sentence.js';

/**
 * The same for somebody who sees jobs of these types alone: of a job of another type, or one that is gone, neither its id nor how and
 * why it has ended. That a step waits, is done or has failed is the job's own.
 */
export async function hideStepsOfOthers(db: Queryable, page: StepPage, types: readonly string[]): Promise<StepPage> {
  const named = [
    page.parent,
    ...page.steps.filter(isOfJob).map(({ of }) => of),
    ...page.graph.map(({ jobId }) => jobId),
  ];
  const typeOf = await findJobTypes(db, [...new Set(named.filter((id) => id !== null))]);
  const show = (id: string | null): string | null => (id !== null && types.includes(typeOf.get(id) ?? '') ? id : null);
  return {
    ...page,
    steps: page.steps.map((step) => (isOfJob(step) && show(step.of) === null ? hideJob(step) : step)),
    parent: show(page.parent),
    graph: page.graph.map((job) => ({ ...job, jobId: show(job.jobId) })),
  };
}

const isOfJob = ({ kind }: JobStep): boolean => kind === 'job' || kind === 'child';

function hideJob(step: JobStep): JobStep {
  const hidden = { ...step, of: null, end: null, error: null };
  return { ...hidden, sentence: writeSentence(hidden, false) };
}
