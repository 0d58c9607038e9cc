import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';
import { type StoreName, storeOf } from './stores.js';

export interface ReplacedValue {
  readonly key: readonly string[];
  /** As JSON, as are the next. */
  readonly before: string;
  readonly json: string;
}

/** Replaces values that are still what they were when they were read, and writes that to the audit; returns how many. */
export async function replacePayloads(
  db: Queryable,
  name: StoreName,
  replaced: readonly ReplacedValue[],
  { act, keyId }: { readonly act: Act; readonly keyId: string },
): Promise<number> {
  const { table, column, isIt, isWritten } = storeOf(name);
  const [row] = await queryRows<{ replaced: number }>(
    db,
    sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(replaced)}::text::jsonb) AS x (key jsonb, before text, json text)
    ),
    written AS (
      UPDATE ${table} AS t
      SET ${column} = i.json::jsonb
      FROM input AS i
      WHERE ${isIt}
        -- somebody may have edited it meanwhile
        AND t.${column} = i.before::jsonb
        AND ${isWritten}
      RETURNING 1
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'reencrypt_payloads',
        kind: 'payloads',
        target: sql`${name}::text`,
        before: sql`NULL::jsonb`,
        after: sql`jsonb_build_object('keyId', ${keyId}::text, 'payloads', w.n)`,
        from: sql`(SELECT count(*) AS n FROM written) AS w WHERE w.n > 0`,
      })}
    )
    SELECT count(*)::integer AS replaced FROM written
  `,
  );
  return row!.replaced;
}
