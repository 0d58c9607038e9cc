import { readApprovals } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { checkJob } from '../../access/check-job.js';
import type { ApiParts } from '../../api.js';
import { approval } from '../../approvals/present-approval.js';
import { answer } from '../../openapi/answers.js';
import { idParameter } from '../../openapi/parameters.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { byId } from '../../shards/plans/by-id.js';
import { overQueue } from './show-approval-page.js';

/** `GET /v1/jobs/{id}/approvals`: what a job asks people, as whoever decides has to see it. */
export function listApprovals(parts: ApiParts): QueueRoute {
  const { db, queue } = parts;
  return {
    scope: 'approve',
    isForSomeTypes: true,
    over: overQueue,
    shards: byId,
    doc: {
      method: 'get',
      path: '/v1/jobs/{id}/approvals',
      operationId: 'listApprovals',
      summary: 'List what a job asks people, and what they have decided',
      parameters: [idParameter('job')],
      responses: {
        200: answer('The first hundred, the first question first.', z.object({ approvals: z.array(approval) })),
        ...problems('job_not_found', 'invalid_job_id', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const id = c.req.param('id') ?? '';
      await checkJob(parts, c, id);
      await queue.getJob(id);
      return c.json({ approvals: await readApprovals(db, id) });
    },
  };
}
