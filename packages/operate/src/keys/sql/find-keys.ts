import type { Queryable } from '@duework/queue-core';
import { queryRows, sql, toArray } from '@duework/sql';
import type { ApiKey } from '../api-key.js';
import { keyStatus } from './key-row.js';

/** A key as a request is checked against it. */
export type FoundKey = Pick<ApiKey, 'id' | 'name' | 'scopes' | 'status'> & {
  /** Of its secret, as hex. */
  readonly hash: string;
  /** Its last use is a minute old, or it has had none. */
  readonly isStale: boolean;
};

/** The keys with these ids, in no order. */
export async function findKeys(db: Queryable, ids: readonly string[]): Promise<FoundKey[]> {
  const [row] = await queryRows<{ keys: string }>(
    db,
    sql`
    SELECT coalesce(json_agg(json_build_object(
        'id', k.id, 'name', k.name, 'scopes', k.scopes, 'status', ${keyStatus}, 'hash', encode(k.secret_hash, 'hex'),
        'isStale', k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute'
      )), '[]')::text AS keys
    FROM duework.api_keys AS k
    WHERE k.id = ANY(${toArray(ids)}::text[])
  `,
  );
  return JSON.parse(row!.keys) as FoundKey[];
}
