import { z } from '@hono/zod-openapi';
import { checkJob } from '../../access/check-job.js';
import type { ApiParts } from '../../api.js';
import { readAct, reasonBody } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { byId } from '../../shards/plans/by-id.js';

const freedKey = z
  .object({ freed: z.boolean().describe('false: it has no key, or another job has it.') })
  .openapi('FreedKey');

/**
 * `POST /v1/jobs/{id}/free-key`: frees the key of a dead or cancelled job, so that its business event may be enqueued
 * again.
 */
export function freeKey(parts: ApiParts): QueueRoute {
  const { queue, databaseUrl } = parts;
  return {
    scope: 'operate',
    isForSomeTypes: true,
    over: 'same',
    shards: byId,
    doc: {
      method: 'post',
      path: '/v1/jobs/{id}/free-key',
      operationId: 'freeKey',
      summary: 'Free the idempotency key of a dead or cancelled job',
      parameters: [idParameter('job')],
      request: reasonBody.request,
      responses: {
        200: answer('Whether there was one to free.', freedKey),
        ...problems(
          ...reasonBody.problems,
          'job_not_found',
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
      const act = await readAct(c);
      return c.json({ freed: await retryConflicts(databaseUrl, () => queue.freeKey(id, act)) });
    },
  };
}
