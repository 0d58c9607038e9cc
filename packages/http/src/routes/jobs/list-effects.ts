import { readEffects } from '@duework/operate';
import { checkJob } from '../../access/check-job.js';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { effectList } from '../../operate/present-effects.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import { byId } from '../../shards/plans/by-id.js';

/** `GET /v1/jobs/{id}/effects`: what a job has done through `once`, or may have done. */
export function listEffects(parts: ApiParts): QueueRoute {
  const { db } = parts;
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: needsDatabase('This queue keeps what was done once, and does not list it.'),
    shards: byId,
    doc: {
      method: 'get',
      path: '/v1/jobs/{id}/effects',
      operationId: 'listEffects',
      summary: 'List the effects of a job',
      description: 'At most 100, the first first: those of the job, and those of its key that an earlier job has done.',
      parameters: [idParameter('job')],
      responses: {
        200: answer('The effects.', effectList),
        ...problems('job_not_found', 'invalid_job_id', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const id = c.req.param('id') ?? '';
      await checkJob(parts, c, id);
      return c.json({ effects: await readEffects(db, id) });
    },
  };
}
