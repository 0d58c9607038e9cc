import { listKeys as list } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import type { ApiParts, Route } from '../../api.js';
import { apiKey } from '../../keys/present-key.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';

const keyList = z.object({ keys: z.array(apiKey) }).openapi('ApiKeyList');

/** `GET /v1/api-keys`: every key, without its secret, which is kept nowhere. */
export function listKeys({ db }: ApiParts): Route {
  return {
    scope: 'admin',
    doc: {
      method: 'get',
      path: '/v1/api-keys',
      operationId: 'listKeys',
      summary: 'List the API keys, the oldest first',
      responses: { 200: answer('Expired and revoked ones among them.', keyList), ...problems(...DATABASE_PROBLEMS) },
    },
    async handle(c) {
      return c.json({ keys: await list(db) });
    },
  };
}
