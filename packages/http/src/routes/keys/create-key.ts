import { createKey as create, readScopes, type KeyLifetime } from '@duework/operate';
import { z } from '@hono/zod-openapi';
import { actOf } from '../../access/act-of.js';
import type { ApiParts } from '../../api.js';
import { parseBody } from '../../http/requests/parse-body.js';
import { readJsonBody } from '../../http/requests/read-json-body.js';
import { reason } from '../../http/requests/reason-body.js';
import { checkGranted } from '../../keys/check-granted.js';
import { apiKey } from '../../keys/present-key.js';
import { answer } from '../../openapi/answers.js';
import { BODY_PROBLEMS, DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_KEYS } from '../../over-queue/refusals.js';
import { createInShard } from '../../shards/plans/keys.js';

const request = z
  .strictObject({
    name: z.string().min(1).max(63).describe('Names it in the audit: `key:<name>`.'),
    scopes: z.array(z.string().max(100)).min(1).max(100).describe('Only such as the caller has, too.'),
    types: z.array(z.string().max(63)).min(1).max(100).optional().describe('Narrows `enqueue` to these types.'),
    reason,
    expiresIn: z
      .string()
      .max(20)
      .optional()
      .describe('`90d`; unless given it works until it is revoked. What a key makes ends with that key at the latest.'),
  })
  .openapi('NewApiKey');

const created = z
  .object({ text: z.string().describe('The key. It is shown this once.'), key: apiKey })
  .openapi('CreatedApiKey');

/** `POST /v1/api-keys`: makes a key, which may do nothing that its maker may not, and ends no later than a key that makes it. */
export function createKey({ db }: ApiParts): QueueRoute {
  return {
    scope: 'admin',
    over: NO_KEYS,
    shards: createInShard,
    doc: {
      method: 'post',
      path: '/v1/api-keys',
      operationId: 'createKey',
      summary: 'Make an API key',
      request: { body: { required: true, content: { 'application/json': { schema: request } } } },
      responses: {
        201: answer('The key, and what it may do.', created),
        ...problems(...BODY_PROBLEMS, 'missing_scope', 'invalid_option', 'api_key_name_taken', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: 16 * 1024,
    async handle(c) {
      const { expiresIn, types, reason: why, ...given } = parseBody(request, await readJsonBody(c));
      const principal = c.get('principal');
      checkGranted(principal, readScopes(given.scopes, types));
      const made = await create(db, {
        ...given,
        ...(types === undefined ? {} : { types }),
        ...(expiresIn === undefined ? {} : { expiresIn: expiresIn as KeyLifetime }),
        ...(principal.kind === 'key' ? { madeWith: principal.id.slice('key:'.length) } : {}),
        act: actOf(c, why),
      });
      return c.json(made, 201);
    },
  };
}
