import { type Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/queue-core/internals';

/**
 * Pauses or resumes a schedule. Its next slot stays: the first tick after a pause decides about the slots that came
 * meanwhile, as about any that were missed. false: no schedule has that key.
 */
export async function pauseSchedule(db: Queryable, key: string, isPaused: boolean): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    UPDATE duework.schedules
    SET is_paused = ${isPaused}::boolean,
        updated_at = CASE WHEN is_paused = ${isPaused}::boolean THEN updated_at ELSE now() END,
        tick_at = CASE WHEN ${isPaused}::boolean THEN tick_at ELSE now() END
    WHERE key = ${key}::text
    RETURNING key, pg_notify('duework_wake', '')::text AS told
  `,
  );
  return rows.length === 1;
}
