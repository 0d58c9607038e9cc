import type { Queryable } from '@duework/queue-core';
import { queryRows, sql, toArray } from '@duework/sql';

/** Marks keys as used now, unless that was done within the last minute. A row that somebody holds is not waited for. */
export async function markKeysUsed(db: Queryable, ids: readonly string[]): Promise<void> {
  await queryRows(
    db,
    sql`
    WITH stale AS MATERIALIZED (
      SELECT id FROM duework.api_keys
      WHERE id = ANY(${toArray(ids)}::text[])
        AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
      ORDER BY id
      FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE duework.api_keys AS k SET last_used_at = now() FROM stale AS s WHERE k.id = s.id
    RETURNING k.id
  `,
  );
}
