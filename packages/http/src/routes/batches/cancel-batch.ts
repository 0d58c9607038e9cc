import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { batch, batchParameter } from '../../batches/present-batch.js';
import { readAct, reasonBody } from '../../http/requests/reason-body.js';
import { retryConflicts } from '../../http/retry-conflicts.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsBatches } from '../../over-queue/refusals.js';
import { byId } from '../../shards/plans/by-id.js';

const cancelled = z
  .object({
    cancelled: z.int().describe('How many jobs waited, and are cancelled.'),
    requested: z.int().describe('How many run, and whose worker was asked to stop.'),
    batch,
  })
  .openapi('CancelledBatch');

/** `POST /v1/batches/{id}/cancel`: cancels what waits, and asks the workers of what runs. */
export function cancelBatch({ queue, databaseUrl }: ApiParts): QueueRoute {
  return {
    scope: 'operate',
    over: needsBatches('same'),
    shards: byId,
    doc: {
      method: 'post',
      path: '/v1/batches/{id}/cancel',
      operationId: 'cancelBatch',
      summary: 'Cancel the jobs of a batch',
      parameters: [batchParameter],
      request: reasonBody.request,
      responses: {
        200: answer('The batch, and what became of its jobs.', cancelled),
        ...problems(...reasonBody.problems, 'batch_not_found', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const id = c.req.param('id') ?? '';
      const act = await readAct(c);
      const counts = await retryConflicts(databaseUrl, () => queue.cancelBatch(id, act));
      return c.json({ ...counts, batch: await queue.getBatch(id) });
    },
  };
}
