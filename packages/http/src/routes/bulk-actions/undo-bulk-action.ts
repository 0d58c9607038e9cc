import { getBulkAction, undoBulkAction as undo } from '@duework/operate';
import { checkEdit, typesOf } from '../../access/check-edit.js';
import { showBulkAction } from '../../access/shown/show-bulk-action.js';
import type { ApiParts } from '../../api.js';
import { bulkIdParameter } from '../../bulk/bulk-problems.js';
import { bulkAction } from '../../bulk/present-bulk-action.js';
import { readAct, reasonBody } from '../../http/requests/reason-body.js';
import { answerWithLocation } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_BULK_ACTIONS } from '../../over-queue/refusals.js';
import { byAction } from '../../shards/plans/bulk.js';

/** `POST /v1/bulk-actions/{id}/undo`: changes back what is still as the action left it, as an action of its own. */
export function undoBulkAction(parts: ApiParts, step: () => void): QueueRoute {
  const { db } = parts;
  return {
    scope: 'operate',
    over: NO_BULK_ACTIONS,
    shards: byAction('POST', 202),
    doc: {
      method: 'post',
      path: '/v1/bulk-actions/{id}/undo',
      operationId: 'undoBulkAction',
      summary: 'Undo a bulk action',
      description:
        'Within an hour of its end. Jobs that somebody has claimed or changed since stay as they are. Of an edit of payloads it needs the scopes that the edit needs.',
      parameters: [bulkIdParameter],
      request: reasonBody.request,
      responses: {
        202: answerWithLocation('The undo, an action of its own, has begun.', bulkAction),
        ...problems(...reasonBody.problems, 'bulk_action_not_found', 'undo_not_possible', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const id = c.req.param('id') ?? '';
      const act = await readAct(c);
      const { verb, filter, options } = await getBulkAction(db, id);
      if (verb === 'edit_payload')
        checkEdit(parts, c.get('principal'), {
          types: typesOf(filter),
          path: options['path'] as readonly string[],
          pointer: '',
        });
      const action = await undo(db, id, act);
      step();
      return c.json(showBulkAction(c.get('principal'), action), 202, { Location: `/v1/bulk-actions/${action.id}` });
    },
  };
}
