import { readFilter, startBulkAction as start } from '@duework/operate';
import { actOf } from '../access/act-of.js';
import type { ApiParts, Route } from '../api.js';
import { checkFilter } from '../access/check-filter.js';
import { BULK_PROBLEMS } from '../bulk/bulk-problems.js';
import { newBulkAction, toBulkRequest } from '../bulk/new-bulk-action.js';
import { bulkAction } from '../bulk/present-bulk-action.js';
import { parseBody } from '../http/parse-body.js';
import { readJsonBody } from '../http/read-json-body.js';
import { singleBodyLimit } from '../http/single-body-limit.js';
import { answerWithLocation } from '../openapi/answers.js';
import { problems } from '../openapi/problems.js';

/** `POST /v1/bulk-actions`: begins an action, which goes on behind the answer. */
export function startBulkAction(parts: ApiParts, step: () => void): Route {
  const { db, catalog } = parts;
  return {
    scope: 'operate',
    doc: {
      method: 'post',
      path: '/v1/bulk-actions',
      operationId: 'startBulkAction',
      summary: 'Act on many jobs',
      description: 'It goes on in the background, in short steps; look at it for its progress.',
      request: { body: { required: true, content: { 'application/json': { schema: newBulkAction } } } },
      responses: { 202: answerWithLocation('It has begun.', bulkAction), ...problems(...BULK_PROBLEMS) },
    },
    bodyLimitBytes: singleBodyLimit(parts),
    async handle(c) {
      const body = parseBody(newBulkAction, await readJsonBody(c));
      checkFilter(catalog, c.get('principal'), readFilter(body.filter));
      const action = await start(db, catalog, toBulkRequest(body), actOf(c, body.reason));
      step();
      return c.json(action, 202, { Location: `/v1/bulk-actions/${action.id}` });
    },
  };
}
