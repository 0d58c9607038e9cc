import { listBulkActions as list } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { showBulkAction } from '../../access/shown/show-bulk-action.js';
import type { ApiParts, Route } from '../../api.js';
import { bulkActionPage } from '../../bulk/present-bulk-action.js';
import { pageParameters, pageQuery } from '../../http/requests/page-query.js';
import { parseQuery } from '../../http/requests/parse-query.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';

const query = z.strictObject(pageQuery(200, 50));

/** `GET /v1/bulk-actions`: what was done to many jobs, newest first. */
export function listBulkActions({ db }: ApiParts): Route {
  return {
    scope: 'read',
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
