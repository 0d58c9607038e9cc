import { ORDERS } from '@duework/shards/merges';
import { readWorkers } from '@duework/operate';
import type { ApiParts } from '../../api.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import { workerList } from '../../operate/present-worker.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_WORKERS } from '../../over-queue/refusals.js';
import { listTagged } from '../../shards/merges.js';
import { merged } from '../../shards/plans/merged.js';

/** `GET /v1/workers`: the workers that live, and what each one runs. */
export function listWorkers({ db }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_WORKERS,
    shards: merged(listTagged('workers', ORDERS.workers), { tagged: 'workers' }),
    doc: {
      method: 'get',
      path: '/v1/workers',
      operationId: 'listWorkers',
      summary: 'List the workers that live',
      responses: { 200: answer('By name.', workerList), ...problems(...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json({ workers: await readWorkers(db) });
    },
  };
}
