import { type Queryable } from '@duework/queue-core';
import { empty, join, queryRows, type Sql, sql, toArray } from '@duework/sql';

export interface DueTimeFilter {
  /** The run that a due time has made. */
  readonly runId?: string | undefined;
  readonly scheduleKey?: string | undefined;
  readonly type?: string | undefined;
  readonly outcome?: 'fired' | 'skipped' | 'waiting' | undefined;
  /** ISO 8601. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly before?: { readonly dueAt: string; readonly scheduleId: string } | undefined;
  readonly limit: number;
}

export interface DueTimeRow {
  readonly scheduleId: string;
  readonly scheduleKey: string;
  readonly type: string;
  /** With microseconds, as text: the moment of a trigger has some. */
  readonly dueAtText: string;
  readonly dueMs: number;
  readonly outcome: 'fired' | 'skipped' | 'waiting';
  readonly reason: string | null;
  readonly runId: string | null;
  readonly firesMs: number;
  readonly decidedMs: number;
  readonly lateMs: number;
  /** The status of the run; null: there is none, or its history is gone. */
  readonly runStatus: string | null;
  /** The pause that the due time fell into and was skipped for, as the audit has it. */
  readonly pause: { readonly sinceMs: number; readonly by: string; readonly reason: string | null } | null;
}

/** The lines `l` of the ledger with what became of their runs, which are looked up at once: one by one they would be planned one by one. */
const withRuns = (lines: Sql, order: Sql): Sql => sql`
    WITH l AS MATERIALIZED (${lines}),
    runs AS MATERIALIZED (
      SELECT j.id, j.status FROM duework.read_jobs(ARRAY(SELECT l.run_id FROM l WHERE l.run_id IS NOT NULL)) AS j
    )
    SELECT l.schedule_id::text AS "scheduleId", l.schedule_key AS "scheduleKey", l.job_type AS type, l.outcome, l.reason,
      to_char(l.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "dueAtText",
      (extract(epoch FROM l.due_at) * 1000)::float8 AS "dueMs", l.run_id::text AS "runId",
      (extract(epoch FROM l.fires_at) * 1000)::float8 AS "firesMs", (extract(epoch FROM l.decided_at) * 1000)::float8 AS "decidedMs",
      l.late_ms::float8 AS "lateMs", j.status AS "runStatus", p.pause
    FROM l LEFT JOIN runs AS j ON j.id = l.run_id
    LEFT JOIN LATERAL (
      -- the last change to a pause before the due time was one, and its end is not before it
      SELECT CASE WHEN e.verb = 'pause_schedule' AND coalesce((e.after ->> 'until')::timestamptz > l.due_at, true) THEN
        json_build_object('sinceMs', extract(epoch FROM e.at) * 1000, 'by', e.by, 'reason', e.reason) END AS pause
      FROM duework.audit_entries AS e
      WHERE e.kind = 'schedule' AND e.target = l.schedule_key AND e.verb IN ('pause_schedule', 'resume_schedule') AND e.at <= l.due_at
      ORDER BY e.at DESC, e.id DESC
      LIMIT 1
    ) AS p ON l.outcome = 'skipped' AND l.reason IN ('missed', 'too_old', 'over_limit', 'outage')
    ORDER BY ${order}`;

/** The ledger, newest due times first, each with what became of its run. */
export function findDueTimeRows(
  db: Queryable,
  { runId, scheduleKey, type, outcome, from, to, before, limit }: DueTimeFilter,
): Promise<DueTimeRow[]> {
  const conditions = [
    ...(scheduleKey === undefined ? [] : [sql`l.schedule_key = ${scheduleKey}::text`]),
    ...(type === undefined ? [] : [sql`l.job_type = ${type}::text`]),
    ...(outcome === undefined ? [] : [sql`l.outcome = ${outcome}::text`]),
    ...(from === undefined ? [] : [sql`l.due_at >= ${from}::text::timestamptz`]),
    ...(to === undefined ? [] : [sql`l.due_at < ${to}::text::timestamptz`]),
    ...(before === undefined
      ? []
      : [sql`(l.due_at, l.schedule_id) < (${before.dueAt}::text::timestamptz, ${before.scheduleId}::bigint)`]),
  ];
  // by its index, whatever the statistics say: a walk along the moments would find the one line at their end
  const source =
    runId === undefined
      ? sql`duework.schedule_ledger`
      : sql`(SELECT * FROM duework.schedule_ledger WHERE run_id = ${runId}::bigint OFFSET 0)`;
  const lines = sql`
      SELECT * FROM ${source} AS l
      ${conditions.length === 0 ? empty : sql`WHERE ${join(conditions, ' AND ')}`}
      ORDER BY l.due_at DESC, l.schedule_id DESC
      LIMIT ${limit}::integer`;
  return queryRows(db, withRuns(lines, sql`l.due_at DESC, l.schedule_id DESC`));
}

/** The newest `each` lines of each schedule by its key, in the order of keys, the newest first. */
export function findLatestDueTimeRows(db: Queryable, keys: readonly string[], each: number): Promise<DueTimeRow[]> {
  const lines = sql`
      SELECT s.*
      FROM unnest(${toArray(keys)}::text::text[]) AS k (key)
      CROSS JOIN LATERAL (
        SELECT * FROM duework.schedule_ledger AS s WHERE s.schedule_key = k.key ORDER BY s.due_at DESC LIMIT ${each}::integer
      ) AS s`;
  return queryRows(db, withRuns(lines, sql`l.schedule_key, l.due_at DESC, l.schedule_id DESC`));
}
