import type { ApiKey, CreatedKey } from '@duework/operate';
import type { KeyOperations } from './key-operations.js';
import type { Ask } from './ask.js';

/** API keys of an API, for a key with the scope `admin`. */
export const keysOverHttp = (ask: Ask): KeyOperations => ({
  create: (key, reason) => ask<CreatedKey>('POST', '/v1/api-keys', { body: { ...key, reason } }),
  list: async () => (await ask<{ keys: ApiKey[] }>('GET', '/v1/api-keys')).keys,
  revoke: (idOrName, reason) =>
    ask<ApiKey>('POST', `/v1/api-keys/${encodeURIComponent(idOrName)}/revoke`, { body: { reason } }),
});
