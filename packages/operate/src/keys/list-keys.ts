import type { Queryable } from '@duework/queue-core';
import type { ApiKey } from './api-key.js';
import { selectKeys } from './sql/select-keys.js';

/** Every API key, the oldest first: those that work, and those that have expired or were revoked. */
export function listKeys(db: Queryable): Promise<ApiKey[]> {
  return selectKeys(db);
}
