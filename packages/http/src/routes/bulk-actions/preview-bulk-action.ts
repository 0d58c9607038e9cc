import { previewBulkAction as preview } from '@duework/operate';
import { checkBulkRequest } from '../../access/check-bulk-request.js';
import type { ApiParts } from '../../api.js';
import { BULK_PROBLEMS } from '../../bulk/bulk-problems.js';
import { newBulkAction, toBulkRequest } from '../../bulk/new-bulk-action.js';
import { bulkPreview, presentPreview } from '../../bulk/present-bulk-action.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { singleBodyLimit } from '../../http/requests/single-body-limit.js';
import { answer } from '../../openapi/answers.js';
import { problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_BULK_ACTIONS } from '../../over-queue/refusals.js';
import { previewBulk } from '../../shards/plans/bulk.js';

/** `POST /v1/bulk-actions/preview`: what an action would do, without doing it. */
export function previewBulkAction(parts: ApiParts): QueueRoute {
  const { db, catalog } = parts;
  return {
    scope: 'operate',
    over: NO_BULK_ACTIONS,
    shards: previewBulk,
    doc: {
      method: 'post',
      path: '/v1/bulk-actions/preview',
      operationId: 'previewBulkAction',
      summary: 'See what a bulk action would do',
      request: { body: { required: true, content: { 'application/json': { schema: newBulkAction } } } },
      responses: {
        200: answer('How many jobs, some of them, and what would be refused and why.', bulkPreview),
        ...problems(...BULK_PROBLEMS),
      },
    },
    bodyLimitBytes: singleBodyLimit(parts),
    async handle(c) {
      const request = toBulkRequest(parseBody(newBulkAction, await readJsonBody(c)));
      await checkBulkRequest(parts, c.get('principal'), request);
      return c.json(presentPreview(await preview(db, catalog, request)));
    },
  };
}
