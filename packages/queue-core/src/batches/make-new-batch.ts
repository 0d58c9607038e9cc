import { randomUUID } from 'node:crypto';
import { checkName } from '@duework/sql';
import { requireInline } from '../objects/require-inline.js';
import { DueworkError } from '@duework/sql/errors';
import type { JobRequest } from '../enqueue/job-request.js';
import { makeNewRun } from '../enqueue/make-new-run.js';
import { BATCH_MOMENTS, type JoinedBatch, type NewRun } from '../ports/producer.js';

/** A callback job of a batch, or a function that makes it from the batch's id. */
export type BatchCallback = JobRequest | ((batchId: string) => JobRequest);

export interface BatchRequest {
  /** A name for people: one line of up to 200 characters. */
  readonly name?: string | undefined;
  readonly jobs: readonly JobRequest[];
  /** Enqueued once all jobs have ended in any way; at once if there are none. */
  readonly onSettled?: BatchCallback | undefined;
  /** Enqueued once all jobs have succeeded, even after a retry of a dead one. */
  readonly onSucceeded?: BatchCallback | undefined;
  /** Enqueued when the first job is dead. */
  readonly onFirstDead?: BatchCallback | undefined;
}

const MAX_NAME = 200;

/** The batch and the runs of a request, for any store. Throws what `enqueueBatch` throws before it writes. */
export function makeNewBatch(request: BatchRequest): { readonly batch: JoinedBatch; readonly runs: readonly NewRun[] } {
  const { name, jobs } = request;
  checkName('name', name ?? null, MAX_NAME);
  const id = randomUUID();
  const callbacks: Record<string, NewRun> = {};
  for (const moment of BATCH_MOMENTS) {
    const given = request[moment];
    if (given === undefined) continue;
    const run = notUnique(moment, makeNewRun(typeof given === 'function' ? given(id) : given));
    requireInline(run, 'The payload of a callback');
    callbacks[moment] = run;
  }
  return { batch: { id, name: name ?? null, callbacks }, runs: makeRunsOf(id, jobs) };
}

/** The runs of requests, which belong to a batch. */
export function makeRunsOf(batch: string, jobs: readonly JobRequest[]): readonly NewRun[] {
  return jobs.map((job) => {
    const run = notUnique('jobs', makeNewRun(job));
    return { ...run, flow: { ...run.flow, terms: { ...run.flow?.terms, batch } } };
  });
}

/** One that replaces or changes another could not tell whose it is. */
function notUnique(option: string, run: NewRun): NewRun {
  if (run.unique !== null)
    throw new DueworkError('invalid_option', {
      option,
      expected: 'of types whose contract has no rule of uniqueness',
      value: run.type,
    });
  return run;
}
