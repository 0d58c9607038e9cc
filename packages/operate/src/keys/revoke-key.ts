import { DueworkError, type Queryable } from '@duework/queue-core';
import type { ApiKey } from './api-key.js';
import { updateRevoked } from './sql/update-revoked.js';

/**
 * Revokes a key, given by its id or, while it is not revoked, by its name. A request that begins after this has returned
 * is refused, in every process. Revoking again changes nothing. Throws `api_key_not_found`.
 */
export async function revokeKey(
  db: Queryable,
  idOrName: string,
  { act = {} }: { act?: { readonly by?: string } } = {},
): Promise<ApiKey> {
  const key = await updateRevoked(db, idOrName, act.by ?? null);
  if (key === null) throw new DueworkError('api_key_not_found', { key: idOrName });
  return key;
}
