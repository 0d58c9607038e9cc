import type { Act, Json, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql, type Sql } from '@duework/sql';
import type { PayloadStore } from './read-stored-payloads.js';

export interface ReplacedPayload {
  readonly id: string;
  readonly before: Json;
  readonly payload: unknown;
}

/** Of a run that is running only its worker changes anything. */
const TARGETS: Readonly<Record<PayloadStore, { readonly table: Sql; readonly condition: Sql }>> = {
  runs: { table: sql`duework.job_runs`, condition: sql`t.status IN ('queued', 'failed')` },
  dead: { table: sql`duework.job_history_dead`, condition: sql`true` },
  cancelled: { table: sql`duework.job_history_cancelled`, condition: sql`true` },
  schedules: { table: sql`duework.schedules`, condition: sql`true` },
};

/** Replaces payloads that are still what they were when they were read, and writes that to the audit; returns how many. */
export async function replacePayloads(
  db: Queryable,
  store: PayloadStore,
  replaced: readonly ReplacedPayload[],
  { act, keyId }: { readonly act: Act; readonly keyId: string },
): Promise<number> {
  const { table, condition } = TARGETS[store];
  const [row] = await queryRows<{ replaced: number }>(
    db,
    sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(replaced)}::text::jsonb) AS x (id bigint, before jsonb, payload jsonb)
    ),
    written AS (
      UPDATE ${table} AS t
      SET payload = i.payload
      FROM input AS i
      WHERE t.id = i.id
        -- somebody may have edited it meanwhile
        AND t.payload = i.before
        AND ${condition}
      RETURNING 1
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'reencrypt_payloads',
        kind: 'payloads',
        target: sql`${store}::text`,
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
