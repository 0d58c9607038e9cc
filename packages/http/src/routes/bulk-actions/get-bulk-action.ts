import { getBulkAction as get } from '@duework/operate';
import { showBulkAction } from '../../access/shown/show-bulk-action.js';
import type { ApiParts } from '../../api.js';
import { bulkIdParameter } from '../../bulk/bulk-problems.js';
import { bulkAction } from '../../bulk/present-bulk-action.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_BULK_ACTIONS } from '../../over-queue/refusals.js';
import { byAction } from '../../shards/plans/bulk.js';

/** `GET /v1/bulk-actions/{id}`: one action and its progress. */
export function getBulkAction({ db }: ApiParts): QueueRoute {
  return {
    scope: 'read',
    over: NO_BULK_ACTIONS,
    shards: byAction('GET'),
    doc: {
      method: 'get',
      path: '/v1/bulk-actions/{id}',
      operationId: 'getBulkAction',
      summary: 'One bulk action and its progress',
      parameters: [bulkIdParameter],
      responses: {
        200: answer('The action.', bulkAction),
        ...problems('bulk_action_not_found', ...DATABASE_PROBLEMS),
      },
    },
    async handle(c) {
      return c.json(showBulkAction(c.get('principal'), await get(db, c.req.param('id') ?? '')));
    },
  };
}
