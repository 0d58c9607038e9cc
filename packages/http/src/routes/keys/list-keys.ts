import { ORDERS } from '@duework/shards/merges';
import { listKeys as list } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../../api.js';
import { apiKey } from '../../keys/present-key.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_KEYS } from '../../over-queue/refusals.js';
import { listTagged } from '../../shards/merges.js';
import { merged } from '../../shards/plans/merged.js';

const keyList = z.object({ keys: z.array(apiKey) }).openapi('ApiKeyList');

/** `GET /v1/api-keys`: every key, without its secret, which is kept nowhere. */
export function listKeys({ db }: ApiParts): QueueRoute {
  return {
    scope: 'admin',
    over: NO_KEYS,
    shards: merged(listTagged('keys', ORDERS.keys), { tagged: 'keys' }),
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
