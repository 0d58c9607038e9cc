import type { Job, Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { Effect } from '../effect.js';

const MOST = 100;

export interface EffectRow extends Pick<Effect, 'name' | 'key' | 'status'> {
  readonly job_id: string;
  readonly started_ms: number;
  readonly done_ms: number | null;
}

/** By two indexes, each of which is read a bounded way. */
export function findEffects(
  db: Queryable,
  { id, type, idempotencyKey }: Pick<Job, 'id' | 'type' | 'idempotencyKey'>,
): Promise<EffectRow[]> {
  return queryRows(
    db,
    sql`
    WITH found AS (
      (SELECT name, run_key, status, run_id, started_at, done_at FROM duework.job_effects
        WHERE run_id = ${id}::bigint LIMIT ${MOST}::integer)
      UNION
      (SELECT name, run_key, status, run_id, started_at, done_at FROM duework.job_effects
        WHERE job_type = ${type}::text AND run_key = ${idempotencyKey ?? `run:${id}`}::text LIMIT ${MOST}::integer)
    )
    SELECT name, run_key AS key, status, run_id::text AS job_id, (extract(epoch FROM started_at) * 1000)::float8 AS started_ms,
      (extract(epoch FROM done_at) * 1000)::float8 AS done_ms
    FROM found
    ORDER BY started_at, run_key, name
    LIMIT ${MOST}::integer
  `,
  );
}
