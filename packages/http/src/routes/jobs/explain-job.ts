import { explainJob as explain } from '@duework/operate';
import { checkJob } from '../../access/check-job.js';
import { showExplanation } from '../../access/shown/show-explanation.js';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { explanation } from '../../operate/present-explanation.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import { byId } from '../../shards/plans/by-id.js';

/** `GET /v1/jobs/{id}/explain`: where a job is now, and why. */
export function explainJob(parts: ApiParts): QueueRoute {
  const { db } = parts;
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: needsDatabase('Why a job waits is read from PostgreSQL; its status and its times say what this queue knows.'),
    shards: byId,
    doc: {
      method: 'get',
      path: '/v1/jobs/{id}/explain',
      operationId: 'explainJob',
      summary: 'Say where a job is, and why',
      parameters: [idParameter('job')],
      responses: {
        200: answer('A code, its facts and a sentence.', explanation),
        ...problems('job_not_found', 'invalid_job_id', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const id = c.req.param('id') ?? '';
      await checkJob(parts, c, id);
      return c.json(await showExplanation(db, c.get('principal'), await explain(db, id)));
    },
  };
}
