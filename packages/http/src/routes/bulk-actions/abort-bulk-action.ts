import { abortBulkAction as abort } from '@duework/operate';
import { showBulkAction } from '../../access/shown/show-bulk-action.js';
import type { ApiParts } from '../../api.js';
import { bulkIdParameter } from '../../bulk/bulk-problems.js';
import { bulkAction } from '../../bulk/present-bulk-action.js';
import { readAct, reasonBody } from '../../http/requests/reason-body.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_BULK_ACTIONS } from '../../over-queue/refusals.js';
import { byAction } from '../../shards/plans/bulk.js';

/** `POST /v1/bulk-actions/{id}/abort`: ends an action where it is; what it has changed stays, and may be undone. */
export function abortBulkAction({ db }: ApiParts): QueueRoute {
  return {
    scope: 'operate',
    over: NO_BULK_ACTIONS,
    shards: byAction('POST'),
    doc: {
      method: 'post',
      path: '/v1/bulk-actions/{id}/abort',
      operationId: 'abortBulkAction',
      summary: 'End a bulk action where it is',
      parameters: [bulkIdParameter],
      request: reasonBody.request,
      responses: {
        200: answer('The action, which is aborted.', bulkAction),
        ...problems(...reasonBody.problems, 'bulk_action_not_found', 'bulk_action_over', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const act = await readAct(c);
      return c.json(showBulkAction(c.get('principal'), await abort(db, c.req.param('id') ?? '', act)));
    },
  };
}
