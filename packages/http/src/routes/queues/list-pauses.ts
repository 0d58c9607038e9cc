import { ORDERS } from '@duework/shards/merges';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { pauseList } from '../../operate/present-pause.js';
import type { QueueRoute } from '../../queue-route.js';
import { listTagged } from '../../shards/merges.js';
import { merged } from '../../shards/plans/merged.js';

/** `GET /v1/pauses`: the queues and types that are paused. */
export function listPauses({ queue }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: 'same',
    shards: merged(listTagged('pauses', ORDERS.pauses), { tagged: 'pauses' }),
    doc: {
      method: 'get',
      path: '/v1/pauses',
      operationId: 'listPauses',
      summary: 'List the pauses of queues and types',
      responses: { 200: answer('All that hold.', pauseList), ...problems(...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json({ pauses: await queue.listPauses() });
    },
  };
}
