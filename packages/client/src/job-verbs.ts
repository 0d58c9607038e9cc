import { reviveMoments, type Job, type JobAttempt } from './job.js';
import type { RequestOptions } from './request-options.js';
import { pick, type SentRequest } from './send-request.js';
import { toPart } from './to-address.js';

/** A request of an operator; `reason` says why, for the audit. */
export interface ActRequest extends RequestOptions {
  readonly reason?: string | undefined;
}

/** What an operator does to one job. */
export interface JobVerbs {
  /** Runs a job now: a waiting one becomes due, a dead or cancelled one comes back. */
  retry(id: string, request?: ActRequest & { readonly effectsHappened?: boolean }): Promise<Job>;
  /** `cancelled`, or `requested` of the worker that runs it. */
  cancel(id: string, request?: ActRequest): Promise<'cancelled' | 'requested'>;
  /** Somebody has looked at a dead job, which stays dead. */
  acknowledge(id: string, request?: ActRequest): Promise<void>;
  /** Frees the idempotency key of a dead or cancelled job; `false`: it has none, or another job has it. */
  freeKey(id: string, request?: ActRequest): Promise<boolean>;
}

type Send = (request: SentRequest) => Promise<{ readonly status: number; readonly json: unknown }>;
type Sent<T> = { readonly [K in keyof T]: T[K] extends Date ? string : T[K] };
export type SentDetail = Sent<Job> & { readonly attemptHistory: readonly Sent<JobAttempt>[] };

export const toJob = ({ attemptHistory: _, ...job }: SentDetail): Job => reviveMoments<Job>(job);

export function jobVerbs(send: Send): JobVerbs {
  const act = (id: string, verb: string, request: Parameters<JobVerbs['retry']>[1] = {}) => {
    const { reason, effectsHappened } = request;
    const body = reason === undefined && effectsHappened === undefined ? undefined : { effectsHappened, reason };
    return send({ ...pick(request), method: 'POST', path: `/v1/jobs/${toPart(id)}/${verb}`, body });
  };
  return {
    retry: async (id, request) => toJob((await act(id, 'retry', request)).json as SentDetail),
    cancel: async (id, request) => ((await act(id, 'cancel', request)).status === 202 ? 'requested' : 'cancelled'),
    acknowledge: async (id, request) => void (await act(id, 'acknowledge', request)),
    freeKey: async (id, request) => ((await act(id, 'free-key', request)).json as { readonly freed: boolean }).freed,
  };
}
