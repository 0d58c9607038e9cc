import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/queue-core/internals';
import type { ApiKey } from '../api-key.js';
import { keyAsJson, toKey } from './key-row.js';

/** Revokes a key by its id, or by its name while it is not revoked; the first revocation stays. null: there is none. */
export async function updateRevoked(db: Queryable, idOrName: string, by: string | null): Promise<ApiKey | null> {
  const [row] = await queryRows<{ key: string }>(
    db,
    sql`
    WITH k AS (
      UPDATE duework.api_keys AS a
      -- a revoked key keeps its past, also of who revoked it
      SET revoked_by = CASE WHEN a.revoked_at IS NULL THEN ${by}::text ELSE a.revoked_by END,
          revoked_at = coalesce(a.revoked_at, now())
      -- a name may look like the id of another key, which is then the one that is meant
      WHERE a.id = coalesce(
        (SELECT id FROM duework.api_keys WHERE id = ${idOrName}::text),
        (SELECT id FROM duework.api_keys WHERE name = ${idOrName}::text AND revoked_at IS NULL)
      )
      RETURNING a.*
    )
    SELECT ${keyAsJson} AS key FROM k
  `,
  );
  return row === undefined ? null : toKey(row.key);
}
