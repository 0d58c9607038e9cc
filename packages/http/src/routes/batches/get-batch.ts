import type { ApiParts } from '../../api.js';
import { batch, batchParameter } from '../../batches/present-batch.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsBatches } from '../../over-queue/refusals.js';
import { byId } from '../../shards/plans/by-id.js';

/** `GET /v1/batches/{id}`: a batch, exactly as it stands. Its jobs are those of the filter `batch:{id}`. */
export function getBatch({ queue }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: needsBatches('same'),
    shards: byId,
    doc: {
      method: 'get',
      path: '/v1/batches/{id}',
      operationId: 'getBatch',
      summary: 'One batch and how many of its jobs have ended',
      parameters: [batchParameter],
      responses: { 200: answer('The batch.', batch), ...problems('batch_not_found', ...DATABASE_PROBLEMS) },
    },
    handle: async (c) => c.json(await queue.getBatch(c.req.param('id') ?? '')),
  };
}
