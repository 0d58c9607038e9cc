import type { Json, Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { StoredPlace } from '../../reencrypt/sql/stores.js';
import type { BulkActionRow } from './bulk-action-row.js';

export interface UndoPayload extends StoredPlace {
  readonly id: string;
  readonly payload: Json;
}

/** The whole payloads that the next step of an undo would give back. */
export async function readUndoPayloads(
  db: Queryable,
  { undoOf, afterId }: BulkActionRow,
  limit: number,
): Promise<readonly UndoPayload[]> {
  const [row] = await queryRows<{ stored: string }>(
    db,
    sql`
    SELECT coalesce(json_agg(json_build_object('id', u.run_id::text, 'type', j.job_type, 'version', j.job_version, 'payload', u.was->'payload')
      ORDER BY u.run_id), '[]')::text AS stored
    FROM (
      SELECT run_id, was FROM duework.bulk_undos WHERE bulk_action_id = ${undoOf}::bigint AND run_id > ${afterId}::bigint
      ORDER BY run_id LIMIT ${limit}::integer
    ) AS u
    JOIN LATERAL (
      SELECT job_type, job_version FROM duework.job_runs WHERE id = u.run_id
      UNION ALL
      SELECT job_type, job_version FROM duework.job_history_dead WHERE id = u.run_id
      UNION ALL
      SELECT job_type, job_version FROM duework.job_history_cancelled WHERE id = u.run_id
    ) AS j ON true
    WHERE jsonb_exists(u.was, 'payload')
  `,
  );
  return JSON.parse(row!.stored) as UndoPayload[];
}
