import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { isoText, queryRows, sql } from '@duework/sql';
import type { ApiKey } from '../api-key.js';
import { idOfKey, keyAsJson, keyStatus, toKey } from './key-row.js';

/**
 * Revokes a key by its id, or by its name while it is not revoked; the first revocation stays, and is the one in the audit.
 * null: there is none.
 */
export async function updateRevoked(db: Queryable, idOrName: string, act: Act): Promise<ApiKey | null> {
  const [row] = await queryRows<{ key: string }>(
    db,
    sql`
    WITH target AS MATERIALIZED (
      SELECT k.*, ${keyStatus} AS status FROM duework.api_keys AS k
      WHERE k.id = ${idOfKey(idOrName)}
      FOR UPDATE
    ),
    revoked AS (
      UPDATE duework.api_keys AS a
      SET revoked_at = now(), revoked_by = ${act.by ?? null}::text
      -- a revoked key keeps its past, also of who revoked it
      WHERE a.id = (SELECT id FROM target WHERE revoked_at IS NULL)
      RETURNING a.*
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'revoke_api_key',
        kind: 'api_key',
        target: sql`r.id`,
        before: sql`jsonb_strip_nulls(jsonb_build_object('status', t.status, 'lastUsedAt', ${isoText(sql`t.last_used_at`)}))`,
        after: sql`jsonb_build_object('name', r.name, 'status', 'revoked')`,
        from: sql`revoked AS r CROSS JOIN target AS t`,
      })}
    )
    SELECT key FROM (
      SELECT ${keyAsJson} AS key FROM revoked AS k
      UNION ALL
      SELECT ${keyAsJson} FROM target AS k WHERE k.revoked_at IS NOT NULL
    ) AS either
  `,
  );
  return row === undefined ? null : toKey(row.key);
}
