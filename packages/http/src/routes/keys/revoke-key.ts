import { findKey, revokeKey as revoke } from '@duework/operate';
import type { ApiParts } from '../../api.js';
import { readAct, reasonBody } from '../../http/requests/reason-body.js';
import { checkRevocable } from '../../keys/check-granted.js';
import { apiKey } from '../../keys/present-key.js';
import { answer } from '../../openapi/answers.js';
import { DATABASE_PROBLEMS, problems } from '../../openapi/problems.js';
import type { QueueRoute } from '../../queue-route.js';
import { NO_KEYS } from '../../over-queue/refusals.js';
import { revokeEverywhere } from '../../shards/plans/keys.js';

const keyParameter = {
  name: 'key',
  in: 'path' as const,
  required: true,
  description: 'The id of the key, or its name while it is not revoked.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 63 },
};

/** `POST /v1/api-keys/{key}/revoke`: it is refused from now on, in every process. */
export function revokeKey({ db }: ApiParts): QueueRoute {
  return {
    scope: 'admin',
    over: NO_KEYS,
    shards: revokeEverywhere,
    doc: {
      method: 'post',
      path: '/v1/api-keys/{key}/revoke',
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'A key revokes itself, and keys that may do nothing that it may not; a person revokes any.',
      parameters: [keyParameter],
      request: reasonBody.request,
      responses: {
        200: answer('The key.', apiKey),
        ...problems(...reasonBody.problems, 'missing_scope', 'api_key_not_found', ...DATABASE_PROBLEMS),
      },
    },
    bodyLimitBytes: reasonBody.limitBytes,
    async handle(c) {
      const act = await readAct(c);
      const key = await findKey(db, c.req.param('key') ?? '');
      checkRevocable(c.get('principal'), key);
      return c.json(await revoke(db, key.id, { act }));
    },
  };
}
