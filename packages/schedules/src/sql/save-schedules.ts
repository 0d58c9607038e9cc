import { type Act, type Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';
import { auditedSchedule } from './audited-schedule.js';

/** A schedule to write; moments are ISO 8601 text, because the time zone of the caller's session is unknown. */
export interface NewSchedule {
  readonly key: string;
  readonly job_type: string;
  readonly job_version: number;
  readonly payload: unknown;
  readonly cron: string | null;
  readonly every_ms: number | null;
  readonly at: string | null;
  readonly time_zone: string;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly missed: string;
  readonly missed_tolerance_ms: number;
  readonly missed_limit: number;
  readonly missed_max_age_ms: number;
  readonly overlap: string;
  readonly overlap_limit: number;
  readonly splay_ms: number;
  readonly splay_offset_ms: number;
  readonly source: 'code' | 'api';
  readonly source_program: string | null;
  readonly source_version: number | null;
  /** The first due time from now on; used where the schedule is new or its rule has changed. */
  readonly next_due_at: string | null;
  readonly tick_at: string | null;
}

/** What an edit writes: all but whether the schedule is paused. */
const EDIT = sql`DO UPDATE SET
        job_type = excluded.job_type, job_version = excluded.job_version, payload = excluded.payload, cron = excluded.cron, every_ms = excluded.every_ms,
        at = excluded.at, time_zone = excluded.time_zone, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
        missed = excluded.missed, missed_tolerance_ms = excluded.missed_tolerance_ms, missed_limit = excluded.missed_limit,
        missed_max_age_ms = excluded.missed_max_age_ms, overlap = excluded.overlap, overlap_limit = excluded.overlap_limit,
        splay_ms = excluded.splay_ms, splay_offset_ms = excluded.splay_offset_ms, updated_at = now(),
        source = CASE WHEN excluded.source = 'code' THEN 'code' ELSE s.source END,
        source_program = coalesce(excluded.source_program, s.source_program),
        source_version = coalesce(excluded.source_version, s.source_version),
        next_due_at = CASE
          WHEN (s.cron, s.every_ms, s.at, s.time_zone, s.starts_at, s.ends_at)
            IS NOT DISTINCT FROM (excluded.cron, excluded.every_ms, excluded.at, excluded.time_zone, excluded.starts_at, excluded.ends_at)
          THEN s.next_due_at
          ELSE excluded.next_due_at
        END,
        tick_at = now()
      -- a program takes none of another's; null where no program declares it
      WHERE coalesce(s.source_program = excluded.source_program, true)`;

/**
 * Inserts schedules or edits those that have the key. The next due time stays unless the rule has changed; whether a
 * schedule is paused, and whether code declared it, always stays. An edited schedule is due for the tick at once, which
 * then computes when it is due again. Returns the keys that were written: not those that another program declares. The
 * audit gets an entry for each that is new or has changed: a deploy that declares what is there already leaves none.
 * `isNewOnly`: a schedule that has the key already stays, and its key is not among those that are returned.
 */
export async function saveSchedules(
  db: Queryable,
  schedules: readonly NewSchedule[],
  act: Act,
  isNewOnly = false,
): Promise<string[]> {
  const rows = await queryRows<{ key: string }>(
    db,
    sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(schedules)}::text::jsonb) AS x (
        key text, job_type text, job_version integer, payload jsonb, cron text, every_ms bigint, at text, time_zone text, starts_at text, ends_at text,
        missed text, missed_tolerance_ms bigint, missed_limit integer, missed_max_age_ms bigint, overlap text,
        overlap_limit integer, splay_ms bigint, splay_offset_ms bigint, source text, source_program text,
        source_version integer,
        next_due_at text, tick_at text
      )
    ),
    -- locked, so that what the audit calls "before" is what this statement replaces
    before AS MATERIALIZED (
      SELECT s.* FROM duework.schedules AS s WHERE s.key = ANY(ARRAY(SELECT key FROM input)) ORDER BY s.key FOR UPDATE
    ),
    saved AS (
      INSERT INTO duework.schedules AS s (
        key, job_type, job_version, payload, cron, every_ms, at, time_zone, starts_at, ends_at, missed, missed_tolerance_ms, missed_limit,
        missed_max_age_ms, overlap, overlap_limit, splay_ms, splay_offset_ms, source, source_program, source_version, next_due_at, tick_at
      )
      SELECT key, job_type, job_version, coalesce(payload, 'null'::jsonb), cron, every_ms, at::timestamptz, time_zone, starts_at::timestamptz,
        ends_at::timestamptz, missed, missed_tolerance_ms, missed_limit, missed_max_age_ms, overlap, overlap_limit, splay_ms,
        splay_offset_ms, source, source_program, source_version, next_due_at::timestamptz, tick_at::timestamptz
      FROM input
      -- read first: a row that this statement has written could not be locked any more
      WHERE (SELECT count(*) FROM before) >= 0
      -- one order for everybody, so that two of them cannot deadlock
      ORDER BY key
      ON CONFLICT (key) ${isNewOnly ? sql`DO NOTHING` : EDIT}
      -- workers look for the next due time when one changes, and seldom otherwise
      RETURNING s.*, duework.notify('duework_wake', '')::text AS told
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'save_schedule',
        kind: 'schedule',
        target: sql`c.key`,
        before: sql`CASE WHEN NOT c.is_new THEN c.was END`,
        after: sql`c.became || jsonb_build_object('payloadChanged', c.is_payload_changed)`,
        from: sql`(
          SELECT s.key, ${auditedSchedule(sql`b`)} AS was, ${auditedSchedule(sql`s`)} AS became,
            b.key IS NULL AS is_new, b.payload IS DISTINCT FROM s.payload AS is_payload_changed
          FROM saved AS s LEFT JOIN before AS b ON b.key = s.key
        ) AS c
        WHERE is_new OR is_payload_changed OR was - 'sourceVersion' <> became - 'sourceVersion'`,
      })}
    )
    SELECT key, told FROM saved
  `,
  );
  return rows.map((row) => row.key);
}
