import type { Json, Queryable } from '@duework/queue-core';
import { parseExactly, queryRows, sql } from '@duework/sql';

/** What a schedule makes runs of; `dueMs`: its next due time, or now where there is none. */
export interface SchedulePayload {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly payload: Json;
  readonly timeZone: string;
  readonly dueMs: number;
}

const BATCH = 500;
/** As the server stores them; it compresses large ones. */
const BATCH_BYTES = 4_194_304;

/** The next schedules behind `afterId`, by id, few enough for a small memory; none: there are no more. */
export async function readSchedulePayloads(db: Queryable, afterId: string): Promise<readonly SchedulePayload[]> {
  const [row] = await queryRows<{ schedules: string }>(
    db,
    sql`
    SELECT coalesce(json_agg(json_build_object('id', b.id::text, 'type', b.job_type, 'version', b.job_version, 'payload', b.payload,
      'timeZone', b.time_zone, 'dueMs', extract(epoch FROM coalesce(b.next_due_at, now())) * 1000) ORDER BY b.id), '[]')::text AS schedules
    FROM (
      SELECT s.*, sum(pg_column_size(s.payload)) OVER (ORDER BY s.id) - pg_column_size(s.payload) AS bytes_before
      FROM (
        SELECT id, job_type, job_version, payload, time_zone, next_due_at
        FROM duework.schedules
        WHERE id > ${afterId}::bigint
        ORDER BY id
        LIMIT ${BATCH}::integer
      ) s
    ) b
    WHERE b.bytes_before < ${BATCH_BYTES}::integer
  `,
  );
  return parseExactly(row!.schedules) as SchedulePayload[];
}
