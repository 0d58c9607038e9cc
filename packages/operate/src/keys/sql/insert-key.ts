import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { isoText, queryRows, sql, toArray } from '@duework/sql';
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
  /** The id of a key that it does not outlive; null: there is none. */
  readonly madeWith: string | null;
  readonly act: Act;
}

/** Inserts a key and its audit entry; null: a key of that name is not revoked. */
export async function insertKey(
  db: Queryable,
  { id, name, hash, scopes, lifetimeMs, madeWith, act }: KeyRow,
): Promise<ApiKey | null> {
  const [row] = await queryRows<{ key: string }>(
    db,
    sql`
    WITH k AS (
      INSERT INTO duework.api_keys (id, name, secret_hash, scopes, created_by, expires_at)
      VALUES (${id}::text, ${name}::text, decode(${hash}::text, 'hex'), ${toArray(scopes)}::text[], ${act.by ?? null}::text,
        -- the earlier one of those that there are
        least(
          now() + ${lifetimeMs}::double precision * interval '1 millisecond',
          (SELECT maker.expires_at FROM duework.api_keys AS maker WHERE maker.id = ${madeWith}::text)
        ))
      ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING
      RETURNING *
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'create_api_key',
        kind: 'api_key',
        target: sql`k.id`,
        before: sql`NULL::jsonb`,
        after: sql`jsonb_strip_nulls(jsonb_build_object(
          'name', k.name, 'scopes', k.scopes, 'expiresAt', ${isoText(sql`k.expires_at`)}
        ))`,
        from: sql`k`,
      })}
    )
    SELECT ${keyAsJson} AS key FROM k
  `,
  );
  return row === undefined ? null : toKey(row.key);
}
