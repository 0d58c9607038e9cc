import type { Queryable } from '@duework/queue-core';
import { queryRows, sql, toArray } from '@duework/queue-core/internals';
import type { ApiKey } from '../api-key.js';
import { keyAsJson, toKey } from './key-row.js';

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  /** Of its secret, as hex. */
  readonly hash: string;
  readonly scopes: readonly string[];
  /** null: for ever. */
  readonly lifetimeMs: number | null;
  readonly by: string | null;
}

/** Inserts a key; null: a key of that name is not revoked. */
export async function insertKey(
  db: Queryable,
  { id, name, hash, scopes, lifetimeMs, by }: KeyRow,
): Promise<ApiKey | null> {
  const [row] = await queryRows<{ key: string }>(
    db,
    sql`
    WITH k AS (
      INSERT INTO duework.api_keys (id, name, secret_hash, scopes, created_by, expires_at)
      VALUES (${id}::text, ${name}::text, decode(${hash}::text, 'hex'), ${toArray(scopes)}::text[], ${by}::text,
        now() + ${lifetimeMs}::double precision * interval '1 millisecond')
      ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING
      RETURNING *
    )
    SELECT ${keyAsJson} AS key FROM k
  `,
  );
  return row === undefined ? null : toKey(row.key);
}
