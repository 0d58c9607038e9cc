import type { Act } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql, type Queryable } from '@duework/sql';

export interface IndexChange {
  readonly verb: 'rebuild_index' | 'drop_index';
  readonly name: string;
  readonly beforeBytes: number;
}

/** Writes an entry about an index that was rebuilt or dropped just now, and returns how large it is; 0: it is gone. */
export async function auditIndex(
  session: Queryable,
  act: Act,
  { verb, name, beforeBytes }: IndexChange,
): Promise<number> {
  const [row] = await queryRows<{ bytes: number }>(
    session,
    sql`
    WITH changed AS MATERIALIZED (
      SELECT (
        SELECT pg_relation_size(x.oid) FROM pg_class x
        WHERE x.relnamespace = 'duework'::regnamespace AND x.relname = ${name}::text
      ) AS bytes
    ),
    audited AS (
      ${insertAudit(act, {
        verb,
        kind: 'index',
        target: sql`${name}::text`,
        before: sql`jsonb_build_object('bytes', ${String(beforeBytes)}::text::bigint)`,
        after: sql`CASE WHEN c.bytes IS NOT NULL THEN jsonb_build_object('bytes', c.bytes) END`,
        from: sql`changed AS c`,
      })}
    )
    SELECT coalesce(c.bytes, 0)::float8 AS bytes FROM changed AS c
  `,
  );
  return row!.bytes;
}
