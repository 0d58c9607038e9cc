import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** An API key that ends soon, or has ended lately: `seconds` until then, or since then where they are negative. */
export interface EndingKey {
  readonly name: string;
  readonly seconds: number;
  readonly isUsed: boolean;
}

/**
 * Keys that are not revoked and end within `days` from now, or have ended within as many. Not those that were made to live no
 * longer: whoever made one knows, and it would be found all its life.
 */
export function readEndingKeys(db: Queryable, days: number): Promise<EndingKey[]> {
  return queryRows(
    db,
    sql`
    SELECT k.name, extract(epoch FROM k.expires_at - now())::float8 AS seconds, k.last_used_at IS NOT NULL AS "isUsed"
    FROM duework.api_keys AS k
    WHERE k.revoked_at IS NULL
      AND k.expires_at BETWEEN now() - ${days}::integer * interval '1 day' AND now() + ${days}::integer * interval '1 day'
      AND k.expires_at - k.created_at > ${days}::integer * interval '1 day'
    ORDER BY k.expires_at
  `,
  );
}
