import { startBulkAction as start } from '@duework/operate';
import { actOf } from '../../access/act-of.js';
import { checkBulkRequest } from '../../access/check-bulk-request.js';
import { showBulkAction } from '../../access/shown/show-bulk-action.js';
import type { ApiParts } from '../../api.js';
import { BULK_PROBLEMS } from '../../bulk/bulk-problems.js';
import { newBulkAction, toBulkRequest } from '../../bulk/new-bulk-action.js';
import { bulkAction } from '../../bulk/present-bulk-action.js';
import { answerRepeatable } from '../../http/answer-repeatable.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { singleBodyLimit } from '../../http/requests/single-body-limit.js';
import { answerWithLocation } from '../../openapi/answers.js';
import { repeatParameter } from '../../openapi/parameters.js';
import { problems, REPEAT_PROBLEMS } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_BULK_ACTIONS } from '../../over-queue/refusals.js';
import { startBulk } from '../../shards/plans/bulk.js';

/** `POST /v1/bulk-actions`: begins an action, which goes on behind the answer. */
export function startBulkAction(parts: ApiParts, step: () => void): QueueRoute {
  const { db, catalog } = parts;
  return {
    scope: 'operate',
    over: NO_BULK_ACTIONS,
    shards: startBulk,
    doc: {
      method: 'post',
      path: '/v1/bulk-actions',
      operationId: 'startBulkAction',
      summary: 'Act on many jobs',
      description: 'It goes on in the background, in short steps; look at it for its progress.',
      parameters: [repeatParameter],
      request: { body: { required: true, content: { 'application/json': { schema: newBulkAction } } } },
      responses: {
        202: answerWithLocation('It has begun.', bulkAction),
        ...problems(...BULK_PROBLEMS, 'key_ring_missing', ...REPEAT_PROBLEMS),
      },
    },
    bodyLimitBytes: singleBodyLimit(parts),
    async handle(c) {
      const readRequest = async () => {
        const body = parseBody(newBulkAction, await readJsonBody(c));
        const request = toBulkRequest(body);
        await checkBulkRequest(parts, c.get('principal'), request);
        return { request, reason: body.reason };
      };
      const begun = await answerRepeatable(
        c,
        parts,
        async (tx) => {
          const { request, reason } = await readRequest();
          const action = await start(tx ?? db, catalog, request, actOf(c, reason));
          const headers = { Location: `/v1/bulk-actions/${action.id}` };
          return { status: 202, headers, body: showBulkAction(c.get('principal'), action) };
        },
        async () => void (await readRequest()),
      );
      // what has begun has committed
      step();
      return begun;
    },
  };
}
