import { type Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

export interface DecidedDueTime {
  readonly schedule_id: string;
  readonly due_at: string;
  readonly schedule_key: string;
  readonly job_type: string;
  readonly outcome: 'fired' | 'skipped' | 'waiting';
  readonly reason: string | null;
  readonly run_id: string | null;
  readonly fires_at: string;
}

export interface AdvancedSchedule {
  readonly id: string;
  readonly next_due_at: string | null;
  readonly tick_at: string | null;
  /** null: the value is not changed. */
  readonly last_run_id: string | null;
  readonly run_ids: readonly string[];
}

/**
 * Writes due times to the ledger and sets the next due time of their schedules. Returns how many due times were
 * written: fewer than given means that somebody else has decided about one, and that the caller has to roll back the
 * run it made for it. A due time that waited may be decided again; a decided one may not.
 */
export async function writeDueTimes(
  db: Queryable,
  dueTimes: readonly DecidedDueTime[],
  schedules: readonly AdvancedSchedule[],
): Promise<number> {
  const [row] = await queryRows<{ written: number }>(
    db,
    sql`
    WITH written AS (
      INSERT INTO duework.schedule_ledger AS l
        (schedule_id, due_at, schedule_key, job_type, outcome, reason, run_id, fires_at, decided_at, late_ms)
      SELECT schedule_id, due_at::timestamptz, schedule_key, job_type, outcome, reason, run_id, fires_at::timestamptz, now(),
        greatest(0, extract(epoch FROM now() - fires_at::timestamptz) * 1000)::bigint
      FROM jsonb_to_recordset(${JSON.stringify(dueTimes)}::text::jsonb) AS x (
        schedule_id bigint, due_at text, schedule_key text, job_type text, outcome text, reason text, run_id bigint, fires_at text
      )
      ORDER BY schedule_id, due_at
      ON CONFLICT (schedule_id, due_at) DO UPDATE SET
        outcome = excluded.outcome, reason = excluded.reason, run_id = excluded.run_id,
        decided_at = excluded.decided_at, late_ms = excluded.late_ms
      WHERE l.outcome = 'waiting'
      RETURNING 1
    ),
    advanced AS (
      UPDATE duework.schedules AS s
      SET next_due_at = a.next_due_at::timestamptz, tick_at = a.tick_at::timestamptz,
          last_run_id = coalesce(a.last_run_id, s.last_run_id), run_ids = a.run_ids
      FROM jsonb_to_recordset(${JSON.stringify(schedules)}::text::jsonb) AS a (
        id bigint, next_due_at text, tick_at text, last_run_id bigint, run_ids bigint[]
      )
      WHERE s.id = a.id
    )
    SELECT count(*)::integer AS written FROM written
  `,
  );
  return row!.written;
}
