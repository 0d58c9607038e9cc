import { z } from '@hono/zod-openapi';
import { cancelJob as cancel } from '@duework/queue-core';
import { withhold } from '../access/withhold.js';
import type { ApiParts, Route } from '../api.js';
import { parseBody } from '../http/parse-body.js';
import { plainText } from '../http/plain-text.js';
import { readJsonBody } from '../http/read-json-body.js';
import { retryConflicts } from '../http/retry-conflicts.js';
import { jobDetail } from '../jobs/present-job.js';
import { readJobDetail } from '../jobs/read-job-detail.js';
import { answer } from '../openapi/answers.js';
import { idParameter } from '../openapi/parameters.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from '../openapi/problems.js';

const request = z.strictObject({ reason: plainText(1_000).optional() }).openapi('CancelJob');

/**
 * `POST /v1/jobs/{id}/cancel`: 200 when the job is cancelled, 202 when it runs and its worker was asked to abort it.
 */
export function cancelJob({ db, queue, databaseUrl }: ApiParts): Route {
  return {
    scope: 'operate',
    doc: {
      method: 'post',
      path: '/v1/jobs/{id}/cancel',
      operationId: 'cancelJob',
      summary: 'Cancel a job',
      parameters: [idParameter('job')],
      request: { body: { required: false, content: { 'application/json': { schema: request } } } },
      responses: {
        200: answer('The job, which is cancelled.', jobDetail),
        202: answer('The job, which is running: its worker was asked to stop.', jobDetail),
        ...problems(
          ...BODY_PROBLEMS.filter((code) => code !== 'empty_body'),
          'job_not_found',
          'invalid_job_id',
          'transition_not_allowed',
          ...DATABASE_PROBLEMS,
        ),
      },
    },
    bodyLimitBytes: 16 * 1024,
    async handle(c) {
      const id = c.req.param('id') ?? '';
      const { reason } = parseBody(request, await readJsonBody(c, {}));
      const asked = { by: c.get('principal').name, ...(reason === undefined ? {} : { reason }) };
      const outcome = await retryConflicts(databaseUrl, () => cancel(db, id, asked));
      return c.json(withhold(c.get('principal'), await readJobDetail(queue, id)), outcome === 'cancelled' ? 200 : 202);
    },
  };
}
