import { sql, type Sql } from '@duework/sql';
import type { ApiKey } from '../api-key.js';

/** Whether key `k` works, by the clock of the database. */
export const keyStatus: Sql = sql`CASE
    WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired' ELSE 'active'
  END`;

/** The SELECT list of one key `k`, as the text of JSON; never with its hash. */
export const keyAsJson: Sql = sql`json_build_object(
    'id', k.id, 'name', k.name, 'scopes', k.scopes, 'status', ${keyStatus},
    'createdAt', extract(epoch FROM k.created_at) * 1000, 'createdBy', k.created_by,
    'expiresAt', extract(epoch FROM k.expires_at) * 1000, 'lastUsedAt', extract(epoch FROM k.last_used_at) * 1000,
    'revokedAt', extract(epoch FROM k.revoked_at) * 1000, 'revokedBy', k.revoked_by
  )::text`;

/** The id of a key that is given by its id or, while it is not revoked, by its name. */
export const idOfKey = (idOrName: string): Sql => sql`coalesce(
    -- a name may look like the id of another key, which is then the one that is meant
    (SELECT id FROM duework.api_keys WHERE id = ${idOrName}::text),
    (SELECT id FROM duework.api_keys WHERE name = ${idOrName}::text AND revoked_at IS NULL)
  )`;

type Times = 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'revokedAt';
type KeyJson = Omit<ApiKey, Times> & { readonly [P in Times]: null extends ApiKey[P] ? number | null : number };

/** The one parser of `keyAsJson`. */
export function toKey(json: string): ApiKey {
  const row = JSON.parse(json) as KeyJson;
  return {
    ...row,
    createdAt: new Date(row.createdAt),
    expiresAt: toDate(row.expiresAt),
    lastUsedAt: toDate(row.lastUsedAt),
    revokedAt: toDate(row.revokedAt),
  };
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
