import { listBatches as list } from '@duework/queue-core';
import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { batch } from '../../batches/present-batch.js';
import { pageParameters, pageQuery } from '../../http/requests/page-query.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { needsBatches } from '../../over-queue/refusals.js';
import { isLater, listed } from '../../shards/plans/merged.js';

const query = z.strictObject(pageQuery(200, 50));
const page = z
  .object({ batches: z.array(batch), nextCursor: z.string().nullable().describe('null: this was the last page.') })
  .openapi('BatchPage');

/** `GET /v1/batches`: batches, newest first. */
export function listBatches(parts: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: needsBatches({ handle: async (c) => c.json(await parts.queue.listBatches(parseQuery(query, c))) }),
    shards: listed({ rows: 'batches', usualLimit: 50, isBefore: isLater('createdAt') }),
    doc: {
      method: 'get',
      path: '/v1/batches',
      operationId: 'listBatches',
      summary: 'List batches, newest first',
      parameters: pageParameters(200, 50),
      responses: {
        200: answer('One page.', page),
        ...problems('invalid_query', 'invalid_cursor', ...READ_PROBLEMS),
      },
    },
    handle: async (c) => {
      const page = parseQuery(query, c);
      return c.json(await readOnStandby(parts, c, (db) => list(db, page)));
    },
  };
}
