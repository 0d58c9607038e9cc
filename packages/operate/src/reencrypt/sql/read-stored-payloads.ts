import type { Json, Queryable } from '@duework/queue-core';
import { queryRows, sql, type Sql } from '@duework/sql';

/** Where payloads wait, or may be brought back from. */
export const STORES = ['runs', 'dead', 'cancelled', 'schedules'] as const;
export type PayloadStore = (typeof STORES)[number];

export interface StoredPayload {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly payload: Json;
}

const BATCH = 500;

const TABLES: Readonly<Record<PayloadStore, Sql>> = {
  runs: sql`duework.job_runs`,
  dead: sql`duework.job_history_dead`,
  cancelled: sql`duework.job_history_cancelled`,
  schedules: sql`duework.schedules`,
};

/** The next payloads behind `afterId`, by id; none: there are no more. */
export async function readStoredPayloads(
  db: Queryable,
  store: PayloadStore,
  afterId: string,
): Promise<readonly StoredPayload[]> {
  const [row] = await queryRows<{ stored: string }>(
    db,
    sql`
    SELECT coalesce(json_agg(json_build_object('id', b.id::text, 'type', b.job_type, 'version', b.job_version, 'payload', b.payload)
      ORDER BY b.id), '[]')::text AS stored
    FROM (
      SELECT id, job_type, job_version, payload FROM ${TABLES[store]} WHERE id > ${afterId}::bigint ORDER BY id LIMIT ${BATCH}::integer
    ) b
  `,
  );
  return JSON.parse(row!.stored) as StoredPayload[];
}
