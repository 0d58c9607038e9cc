import { z } from '@hono/zod-openapi';
import type { JobVerb, JobVerbs } from '@duework/queue-core';
import { JOB_VERBS } from '@duework/queue-core/internals';
import { actOf } from '../../access/act-of.js';
import { checkJob } from '../../access/check-job.js';
import type { ApiParts } from '../../api.js';
import { answerExactly } from '../../http/exact-json.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { reason, reasonBody, reasonRequest } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import type { HttpErrorCode } from '../../http-errors.js';
import { jobDetail } from '../../jobs/present-job.js';
import { readJobDetail } from '../../jobs/read-job-detail.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { byId } from '../../shards/plans/by-id.js';

/** What a verb says of itself; who may do it, what it is asked and how it is answered is the same of all. */
interface Declared<V extends JobVerb> {
  readonly summary: string;
  readonly description?: string;
  /** Its body. Absent: nothing but why. */
  readonly body?: z.ZodType<{ readonly reason?: string | undefined }>;
  readonly refusals?: readonly HttpErrorCode[];
  readonly answers: QueueRoute['doc']['responses'];
  /** What it answers, by what was done. Absent: the job, with 200. */
  readonly answer?: (
    done: Awaited<ReturnType<JobVerbs[V]>>,
  ) => { readonly status: 200 | 202 } | { readonly body: object };
}

const retryRequest = z
  .strictObject({
    effectsHappened: z
      .boolean()
      .optional()
      .describe(
        'Of a job that is dead with `effect_unknown`: somebody has looked, and it happened. Otherwise it is done again, under the same key.',
      ),
    fromStep: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Of a durable handler: this step is taken again, and what was done after it.'),
    reason,
  })
  .openapi('RetryJob');

const freedKey = z
  .object({ freed: z.boolean().describe('false: it has no key, or another job has it.') })
  .openapi('FreedKey');

const VERBS: { readonly [V in JobVerb]: Declared<V> } = {
  retryJob: {
    summary: 'Run a job now',
    description: 'A waiting job becomes due; a dead or cancelled one comes back with all its attempts.',
    body: retryRequest,
    refusals: ['step_not_found'],
    answers: { 200: answer('The job, which is due.', jobDetail) },
  },
  cancelJob: {
    summary: 'Cancel a job',
    answers: {
      200: answer('The job, which is cancelled.', jobDetail),
      202: answer('The job, which is running: its worker was asked to stop.', jobDetail),
    },
    answer: (outcome) => ({ status: outcome === 'cancelled' ? 200 : 202 }),
  },
  acknowledgeJob: {
    summary: 'Acknowledge a dead job, which stays dead',
    answers: { 200: answer('The job, which stays dead.', jobDetail) },
  },
  freeKey: {
    summary: 'Free the idempotency key of a dead or cancelled job',
    answers: { 200: answer('Whether there was one to free.', freedKey) },
    answer: (freed) => ({ body: { freed } }),
  },
};

/** `POST /v1/jobs/{id}/<verb>`: what an operator does to one job. */
export const jobVerbs = (parts: ApiParts): readonly QueueRoute[] =>
  (Object.keys(VERBS) as JobVerb[]).map((verb) => jobVerb(parts, verb, VERBS[verb] as Declared<JobVerb>));

function jobVerb(
  parts: ApiParts,
  verb: JobVerb,
  { summary, description, body = reasonRequest, refusals = [], answers, answer: answerOf }: Declared<JobVerb>,
): QueueRoute {
  const { queue, databaseUrl } = parts;
  return {
    scope: 'operate',
    isForSomeTypes: true,
    over: 'same',
    shards: byId,
    doc: {
      method: 'post',
      path: `/v1/jobs/{id}/${JOB_VERBS[verb]}`,
      operationId: verb,
      summary,
      ...(description === undefined ? {} : { description }),
      parameters: [idParameter('job')],
      request: { body: { required: false, content: { 'application/json': { schema: body } } } },
      responses: {
        ...answers,
        ...problems(
          ...reasonBody.problems,
          'job_not_found',
          ...refusals,
          'invalid_job_id',
          'transition_not_allowed',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const id = c.req.param('id') ?? '';
      await checkJob(parts, c, id);
      const { reason: why, ...how } = parseBody(body, await readJsonBody(c, {}));
      const given = { ...how, ...actOf(c, why) };
      const done = await retryConflicts<unknown>(databaseUrl, () => queue[verb](id, given));
      const told = answerOf?.(done as never) ?? { status: 200 };
      if ('body' in told) return c.json(told.body);
      return answerExactly(c, await readJobDetail(parts, c, id), told.status);
    },
  };
}
