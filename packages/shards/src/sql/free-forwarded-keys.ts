import { queryRows, sql, type Queryable } from '@duework/sql';

/** An idempotency key of a type. */
export interface TypeKey {
  readonly type: string;
  readonly key: string;
}

/**
 * Frees keys that forwards hold: the jobs that they have become have come back, and take their keys themselves. One that a
 * job of another type holds stays.
 */
export async function freeForwardedKeys(db: Queryable, forwardType: string, keys: readonly TypeKey[]): Promise<void> {
  if (keys.length === 0) return;
  await queryRows(
    db,
    sql`
    DELETE FROM duework.job_keys AS k
    USING unnest(${keys.map(({ type }) => type)}::text[], ${keys.map(({ key }) => key)}::text[]) AS g (type, key)
    WHERE k.job_type = g.type AND k.key = g.key
      AND EXISTS (SELECT FROM duework.jobs AS j WHERE j.id = k.run_id AND j.job_type = ${forwardType}::text)
    RETURNING 1 AS one`,
  );
}
