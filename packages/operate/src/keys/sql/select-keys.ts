import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { ApiKey } from '../api-key.js';
import { keyAsJson, toKey } from './key-row.js';

/** Every key, the oldest first. */
export async function selectKeys(db: Queryable): Promise<ApiKey[]> {
  const rows = await queryRows<{ key: string }>(
    db,
    sql`SELECT ${keyAsJson} AS key FROM duework.api_keys AS k ORDER BY k.created_at, k.id`,
  );
  return rows.map(({ key }) => toKey(key));
}
