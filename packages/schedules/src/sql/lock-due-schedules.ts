import type { JobContract } from '@duework/contracts';
import { UNREADABLE_GRACE_MS } from './read-next-tick.js';
import { scheduleAsJson, type ScheduleRow } from './schedule-row.js';
import { type Queryable } from '@duework/queue-core';
import { isReadable, readableVersions } from '@duework/queue-core/internals';
import { parseExactly, queryRows, sql } from '@duework/sql';

/** The schedules that this transaction decides about, and its now, on the database's clock. */
export interface LockedSchedules {
  readonly schedules: readonly ScheduleRow[];
  readonly nowMs: number;
  readonly transactionId: string;
}

/**
 * Locks up to `limit` schedules that are due; those that another ticker is deciding about are left to it. A type or
 * version that this process cannot read is left to a process that can, and after a grace anybody takes it, so that a
 * deploy loses no due time and a forgotten schedule is reported.
 */
export async function lockDueSchedules(
  db: Queryable,
  contracts: ReadonlyMap<string, JobContract>,
  limit: number,
): Promise<LockedSchedules> {
  const [row] = await queryRows<{ schedules: string; now_ms: number; transaction_id: string }>(
    db,
    sql`
    WITH s AS MATERIALIZED (
      SELECT *
      FROM duework.schedules AS j
      WHERE NOT is_paused AND tick_at <= now()
        AND (
          ${isReadable(readableVersions(contracts))}
          OR tick_at <= now() - ${UNREADABLE_GRACE_MS}::float8 * interval '1 millisecond')
      ORDER BY tick_at, id
      LIMIT ${limit}::integer
      FOR UPDATE SKIP LOCKED
    )
    SELECT coalesce(json_agg(${scheduleAsJson} ORDER BY s.id), '[]')::text AS schedules,
      floor(extract(epoch FROM now()) * 1000)::float8 AS now_ms, pg_current_xact_id()::text AS transaction_id
    FROM s
  `,
  );
  return {
    schedules: parseExactly(row!.schedules) as ScheduleRow[],
    nowMs: row!.now_ms,
    transactionId: row!.transaction_id,
  };
}
