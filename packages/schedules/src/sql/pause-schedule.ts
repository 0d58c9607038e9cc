import { type Act, type Queryable } from '@duework/queue-core';
import { insertAudit, queryRows, sql } from '@duework/queue-core/internals';

/**
 * Pauses or resumes a schedule. Its next slot stays: the first tick after a pause decides about the slots that came
 * meanwhile, as about any that were missed. false: no schedule has that key. One that is as it is asked for leaves no
 * entry in the audit.
 */
export async function pauseSchedule(db: Queryable, key: string, isPaused: boolean, act: Act): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    WITH before AS MATERIALIZED (SELECT id, is_paused FROM duework.schedules WHERE key = ${key}::text FOR UPDATE),
    changed AS (
      UPDATE duework.schedules
      SET is_paused = ${isPaused}::boolean,
          updated_at = CASE WHEN is_paused = ${isPaused}::boolean THEN updated_at ELSE now() END,
          tick_at = CASE WHEN ${isPaused}::boolean THEN tick_at ELSE now() END
      WHERE id = (SELECT id FROM before)
      RETURNING key, is_paused, pg_notify('duework_wake', '')::text AS told
    ),
    audited AS (
      ${insertAudit(act, {
        verb: isPaused ? 'pause_schedule' : 'resume_schedule',
        kind: 'schedule',
        target: sql`c.key`,
        before: sql`jsonb_build_object('isPaused', b.is_paused)`,
        after: sql`jsonb_build_object('isPaused', c.is_paused)`,
        from: sql`changed AS c CROSS JOIN before AS b WHERE b.is_paused <> c.is_paused`,
      })}
    )
    SELECT key, told FROM changed
  `,
  );
  return rows.length === 1;
}
