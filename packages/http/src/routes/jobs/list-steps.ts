import { hideStepsOfOthers, readSteps } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { checkJob } from '../../access/check-job.js';
import { maySeePayloads } from '../../access/shown/withhold.js';
import type { ApiParts } from '../../api.js';
import { pageParameters, pageQuery } from '../../http/requests/page-query.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { showSteps, stepPage } from '../../operate/present-steps.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsDatabase } from '../../over-queue/refusals.js';
import { byId } from '../../shards/plans/by-id.js';

const query = z.strictObject(pageQuery(1_000, 100));

/** `GET /v1/jobs/{id}/steps`: what a job has done and waits for. */
export function listSteps(parts: ApiParts): QueueRoute {
  const { db, queue } = parts;
  return {
    scope: 'read',
    isForSomeTypes: true,
    over: needsDatabase('This queue does not list the steps of a job.'),
    shards: byId,
    doc: {
      method: 'get',
      path: '/v1/jobs/{id}/steps',
      operationId: 'listSteps',
      summary: 'List the steps of a job, and what it waits for',
      description:
        'The first first, as they were asked for; of a workflow also its graph, and of a child its parent. A key that is limited to types is told nothing of jobs of other types.',
      parameters: [idParameter('job'), ...pageParameters(1_000, 100)],
      responses: {
        200: answer('One page.', stepPage),
        ...problems('invalid_query', 'invalid_cursor', 'job_not_found', 'invalid_job_id', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const id = c.req.param('id') ?? '';
      const principal = c.get('principal');
      const page = parseQuery(query, c);
      await checkJob(parts, c, id);
      const { job } = await queue.getJob(id);
      const all = await readSteps(db, id, { ...page, areValuesShown: maySeePayloads(principal) });
      const steps = principal.types === null ? all : await hideStepsOfOthers(db, all, principal.types);
      return c.json(showSteps(parts, principal, job.type, steps));
    },
  };
}
