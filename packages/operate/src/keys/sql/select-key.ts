import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { ApiKey } from '../api-key.js';
import { idOfKey, keyAsJson, toKey } from './key-row.js';

/** A key by its id, or by its name while it is not revoked; null: there is none. */
export async function selectKey(db: Queryable, idOrName: string): Promise<ApiKey | null> {
  const [row] = await queryRows<{ key: string }>(
    db,
    sql`SELECT ${keyAsJson} AS key FROM duework.api_keys AS k WHERE k.id = ${idOfKey(idOrName)}`,
  );
  return row === undefined ? null : toKey(row.key);
}
