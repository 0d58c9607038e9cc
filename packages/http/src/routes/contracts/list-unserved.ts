import { ORDERS } from '@duework/shards/merges';
import { readUnserved } from '@duework/operate';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { unservedList } from '../../operate/present-unserved.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_WORKERS } from '../../over-queue/refusals.js';
import { listTagged } from '../../shards/merges.js';
import { merged } from '../../shards/plans/merged.js';

/** `GET /v1/unserved`: what is due, and no live worker can run. */
export function listUnserved({ db }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_WORKERS,
    shards: merged(listTagged('unserved', ORDERS.unserved, 20), { tagged: 'unserved' }),
    doc: {
      method: 'get',
      path: '/v1/unserved',
      operationId: 'listUnserved',
      summary: 'List the types that are due and that no live worker can run',
      responses: {
        200: answer('At most 20, what waits longest first; empty: workers can run all that is due.', unservedList),
        ...problems(...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      return c.json({ unserved: await readUnserved(db) });
    },
  };
}
