import { listBulkActions as list } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { showBulkAction } from '../../access/shown/show-bulk-action.js';
import type { ApiParts } from '../../api.js';
import { bulkActionPage } from '../../bulk/present-bulk-action.js';
import { pageParameters, pageQuery } from '../../http/requests/page-query.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_BULK_ACTIONS } from '../../over-queue/refusals.js';
import { isLater, listed } from '../../shards/plans/merged.js';

const query = z.strictObject(pageQuery(200, 50));

/** `GET /v1/bulk-actions`: what was done to many jobs, newest first. */
export function listBulkActions({ db }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_BULK_ACTIONS,
    shards: listed({
      rows: 'actions',
      usualLimit: 50,
      isBefore: isLater('createdAt'),
      cursorBehind: (row) => (row['id'] as string).replace(/^.*\./, ''),
    }),
    doc: {
      method: 'get',
      path: '/v1/bulk-actions',
      operationId: 'listBulkActions',
      summary: 'List bulk actions, newest first',
      parameters: pageParameters(200, 50),
      responses: {
        200: answer('One page.', bulkActionPage),
        ...problems('invalid_query', 'invalid_cursor', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      const { actions, nextCursor } = await list(db, parseQuery(query, c));
      return c.json({ actions: actions.map((action) => showBulkAction(c.get('principal'), action)), nextCursor });
    },
  };
}
