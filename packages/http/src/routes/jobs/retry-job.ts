import { z } from '@hono/zod-openapi';
import { actOf } from '../../access/act-of.js';
import { checkJob } from '../../access/check-job.js';
import type { ApiParts } from '../../api.js';
import { answerExactly } from '../../http/exact-json.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { reason as why } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { jobDetail } from '../../jobs/present-job.js';
import { readJobDetail } from '../../jobs/read-job-detail.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { byId } from '../../shards/plans/by-id.js';

const request = z
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
    reason: why,
  })
  .openapi('RetryJob');

/** `POST /v1/jobs/{id}/retry`: makes a job due now. */
export function retryJob(parts: ApiParts): QueueRoute {
  const { queue, databaseUrl } = parts;
  return {
    scope: 'operate',
    isForSomeTypes: true,
    over: 'same',
    shards: byId,
    doc: {
      method: 'post',
      path: '/v1/jobs/{id}/retry',
      operationId: 'retryJob',
      summary: 'Run a job now',
      description: 'A waiting job becomes due; a dead or cancelled one comes back with all its attempts.',
      parameters: [idParameter('job')],
      request: { body: { required: false, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('The job, which is due.', jobDetail),
        ...problems(
          ...BODY_PROBLEMS.filter((code) => code !== 'empty_body'),
          'job_not_found',
          'step_not_found',
          'invalid_job_id',
          'transition_not_allowed',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: 16 * 1024,
    async handle(c) {
      const id = c.req.param('id') ?? '';
      await checkJob(parts, c, id);
      const { effectsHappened = false, fromStep, reason } = parseBody(request, await readJsonBody(c, {}));
      await retryConflicts(databaseUrl, () => queue.retryJob(id, { effectsHappened, fromStep, ...actOf(c, reason) }));
      return answerExactly(c, await readJobDetail(parts, c, id));
    },
  };
}
