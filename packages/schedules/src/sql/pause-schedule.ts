import { type Act, type Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { isoText, queryRows, type Sql, sql } from '@duework/sql';

const audited = (row: Sql): Sql => sql`jsonb_strip_nulls(jsonb_build_object(
          'isPaused', ${row}.is_paused, 'until', ${isoText(sql`${row}.paused_until`)}
        ))`;

/**
 * Pauses or resumes a schedule; `until` is ISO 8601 text, null: without an end. Its next due time stays: the first tick
 * after a pause decides about the due times that came meanwhile, as about any that were missed. false: no schedule has
 * that key. One that is as it is asked for leaves no entry in the audit.
 */
export async function pauseSchedule(
  db: Queryable,
  key: string,
  { isPaused, until, act }: { readonly isPaused: boolean; readonly until: string | null; readonly act: Act },
): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    WITH before AS MATERIALIZED (SELECT * FROM duework.schedules WHERE key = ${key}::text FOR UPDATE),
    changed AS (
      UPDATE duework.schedules AS s
      SET is_paused = ${isPaused}::boolean,
          paused_at = CASE WHEN ${isPaused}::boolean THEN coalesce(s.paused_at, now()) END,
          paused_until = CASE WHEN ${isPaused}::boolean THEN ${until}::text::timestamptz END,
          paused_by = CASE WHEN ${isPaused}::boolean THEN ${act.by ?? null}::text END,
          pause_reason = CASE WHEN ${isPaused}::boolean THEN ${act.reason ?? null}::text END,
          updated_at = CASE WHEN is_paused = ${isPaused}::boolean THEN updated_at ELSE now() END,
          tick_at = CASE WHEN ${isPaused}::boolean THEN tick_at ELSE now() END
      WHERE id = (SELECT id FROM before)
      RETURNING s.*, duework.notify('duework_wake', '')::text AS told
    ),
    audited AS (
      ${insertAudit(act, {
        verb: isPaused ? 'pause_schedule' : 'resume_schedule',
        kind: 'schedule',
        target: sql`c.key`,
        before: audited(sql`b`),
        after: audited(sql`c`),
        from: sql`changed AS c CROSS JOIN before AS b WHERE ${audited(sql`b`)} <> ${audited(sql`c`)}`,
      })}
    )
    SELECT key, told FROM changed
  `,
  );
  return rows.length === 1;
}
