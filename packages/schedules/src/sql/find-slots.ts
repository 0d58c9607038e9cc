import { type Queryable } from '@duework/queue-core';
import { empty, join, queryRows, sql } from '@duework/queue-core/internals';

export interface SlotFilter {
  /** The run that a slot has made. */
  readonly runId?: string | undefined;
  readonly scheduleKey?: string | undefined;
  readonly type?: string | undefined;
  readonly outcome?: 'fired' | 'skipped' | 'waiting' | undefined;
  /** ISO 8601. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly before?: { readonly slotAt: string; readonly scheduleId: string } | undefined;
  readonly limit: number;
}

export interface SlotRow {
  readonly scheduleId: string;
  readonly scheduleKey: string;
  readonly type: string;
  /** With microseconds, as text: the moment of a trigger has some. */
  readonly slotAtText: string;
  readonly slotMs: number;
  readonly outcome: 'fired' | 'skipped' | 'waiting';
  readonly reason: string | null;
  readonly runId: string | null;
  readonly dueMs: number;
  readonly decidedMs: number;
  readonly lateMs: number;
  /** The status of the run; null: there is none, or its history is gone. */
  readonly runStatus: string | null;
}

/** The ledger, newest slots first, each with what became of its run. */
export function findSlotRows(
  db: Queryable,
  { runId, scheduleKey, type, outcome, from, to, before, limit }: SlotFilter,
): Promise<SlotRow[]> {
  const conditions = [
    ...(scheduleKey === undefined ? [] : [sql`l.schedule_key = ${scheduleKey}::text`]),
    ...(type === undefined ? [] : [sql`l.job_type = ${type}::text`]),
    ...(outcome === undefined ? [] : [sql`l.outcome = ${outcome}::text`]),
    ...(from === undefined ? [] : [sql`l.slot_at >= ${from}::text::timestamptz`]),
    ...(to === undefined ? [] : [sql`l.slot_at < ${to}::text::timestamptz`]),
    ...(before === undefined
      ? []
      : [sql`(l.slot_at, l.schedule_id) < (${before.slotAt}::text::timestamptz, ${before.scheduleId}::bigint)`]),
  ];
  // by its index, whatever the statistics say: a walk along the moments would find the one line at their end
  const source =
    runId === undefined
      ? sql`duework.schedule_slots`
      : sql`(SELECT * FROM duework.schedule_slots WHERE run_id = ${runId}::bigint OFFSET 0)`;
  return queryRows(
    db,
    sql`
    WITH l AS MATERIALIZED (
      SELECT * FROM ${source} AS l
      ${conditions.length === 0 ? empty : sql`WHERE ${join(conditions, ' AND ')}`}
      ORDER BY l.slot_at DESC, l.schedule_id DESC
      LIMIT ${limit}::integer
    )
    SELECT l.schedule_id::text AS "scheduleId", l.schedule_key AS "scheduleKey", l.job_type AS type, l.outcome, l.reason,
      to_char(l.slot_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "slotAtText",
      (extract(epoch FROM l.slot_at) * 1000)::float8 AS "slotMs", l.run_id::text AS "runId",
      (extract(epoch FROM l.due_at) * 1000)::float8 AS "dueMs", (extract(epoch FROM l.decided_at) * 1000)::float8 AS "decidedMs",
      l.late_ms::float8 AS "lateMs", j.status AS "runStatus"
    FROM l
    LEFT JOIN LATERAL duework.find_run_status(l.run_id) AS j ON true
    ORDER BY l.slot_at DESC, l.schedule_id DESC
  `,
  );
}
