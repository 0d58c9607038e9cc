import { listBatches as list } from '@duework/queue-core';
import { z } from '@hono/zod-openapi';
import type { ApiParts, Route } from '../../api.js';
import { batch } from '../../batches/present-batch.js';
import { pageParameters, pageQuery } from '../../http/requests/page-query.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { readOnStandby } from '../../reads/read-on-standby.js';
import { answer } from '../../openapi/answers.js';
import { READ_PROBLEMS, problems } from '../../openapi/problems.js';

/** The query of a list of batches. */
export const batchPageQuery = z.strictObject(pageQuery(200, 50));
const page = z
  .object({ batches: z.array(batch), nextCursor: z.string().nullable().describe('null: this was the last page.') })
  .openapi('BatchPage');

/** `GET /v1/batches`: batches, newest first. */
export function listBatches(parts: ApiParts): Route {
  return {
    scope: 'read',
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
      const page = parseQuery(batchPageQuery, c);
      return c.json(await readOnStandby(parts, c, (db) => list(db, page)));
    },
  };
}
