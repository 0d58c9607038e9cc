import { DueworkError, type Queryable } from '@duework/queue-core';
import { isStorableText } from '@duework/sql/errors';
import type { ApiKey } from './api-key.js';
import { selectKey } from './sql/select-key.js';

/** A key by its id or, while it is not revoked, by its name. Throws `api_key_not_found`. */
export async function findKey(db: Queryable, idOrName: string): Promise<ApiKey> {
  const key = isStorableText(idOrName) ? await selectKey(db, idOrName) : null;
  if (key === null) throw new DueworkError('api_key_not_found', { key: idOrName });
  return key;
}
