import { type Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** Resumes schedules whose pause has ended; those that somebody is changing are left for the next time. */
export async function endPauses(db: Queryable): Promise<void> {
  await queryRows(
    db,
    sql`
    UPDATE duework.schedules
    SET is_paused = false, paused_at = NULL, paused_until = NULL, paused_by = NULL, pause_reason = NULL,
        updated_at = now(), tick_at = now()
    WHERE id = ANY(ARRAY(
      SELECT id FROM duework.schedules WHERE is_paused AND paused_until <= now()
      ORDER BY paused_until, id LIMIT 1000
      FOR UPDATE SKIP LOCKED
    ))
  `,
  );
}
