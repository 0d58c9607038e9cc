import { mergeQueues } from '@duework/shards/merges';
import type { z } from '@hono/zod-openapi';
import { readQueues } from '@duework/operate';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { queueList } from '../../operate/present-figures.js';
import type { QueueRoute } from '../../queue-route.js';
import { listQueues as overQueue } from '../../over-queue/list-queues.js';
import { merged } from '../../shards/plans/merged.js';

/** `GET /v1/queues`: what waits and runs, by queue and type, and what happened within the last five minutes. */
export function listQueues(parts: ApiParts): QueueRoute {
  const { db } = parts;
  return {
    scope: 'read',
    over: overQueue(parts),
    shards: merged<z.output<typeof queueList>>(mergeQueues, {
      says: 'Counts are added up. `oldestWaitingSeconds` is that of the oldest job of all, and a percentile that of the slowest shard.',
    }),
    doc: {
      method: 'get',
      path: '/v1/queues',
      operationId: 'listQueues',
      summary: 'List the queues and types with their figures of now',
      responses: { 200: answer('By queue and type.', queueList), ...problems(...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json({ queues: await readQueues(db) });
    },
  };
}
