import { type Act, DueworkError, type Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import { isStorableText } from '@duework/sql/errors';
import type { ApiKey } from './api-key.js';
import { updateRevoked } from './sql/update-revoked.js';

/**
 * Revokes a key, given by its id or, while it is not revoked, by its name. A request that begins after this has returned
 * is refused, in every process. Revoking again changes nothing. Throws `api_key_not_found`.
 */
export async function revokeKey(
  db: Queryable,
  idOrName: string,
  { act = {} }: { readonly act?: Act } = {},
): Promise<ApiKey> {
  checkAct(act);
  const key = isStorableText(idOrName) ? await updateRevoked(db, idOrName, act) : null;
  if (key === null) throw new DueworkError('api_key_not_found', { key: idOrName });
  return key;
}
