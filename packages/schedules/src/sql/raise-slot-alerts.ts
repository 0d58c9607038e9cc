import { type Queryable, type RaisedAlert } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/**
 * Slots that should have been decided more than `maxLateSeconds` ago and have no row in the ledger: nobody ticks, or
 * nobody can. Reported once an hour, by whichever process checks first.
 */
export function raiseSlotAlerts(db: Queryable, maxLateSeconds: number): Promise<RaisedAlert[]> {
  return queryRows(
    db,
    sql`
    WITH missing AS (
      SELECT key, next_slot_at
      FROM duework.schedules
      WHERE NOT is_paused AND next_slot_at IS NOT NULL
        AND tick_at <= now() - ${maxLateSeconds}::float8 * interval '1 second'
        AND next_slot_at + splay_offset_ms * interval '1 millisecond' <= now() - ${maxLateSeconds}::float8 * interval '1 second'
      ORDER BY tick_at
      LIMIT 1000
    )
    INSERT INTO duework.job_alerts AS a (name, raised_at, facts)
    SELECT 'slot_missing', now(), jsonb_build_object(
      'schedules', count(*), 'schedule', (array_agg(key ORDER BY next_slot_at, key))[1],
      'slotAt', to_char(min(next_slot_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'limitSeconds', ${maxLateSeconds}::float8
    )
    FROM missing
    HAVING count(*) > 0
    ON CONFLICT (name) DO UPDATE SET raised_at = now(), facts = excluded.facts
    WHERE a.raised_at <= now() - interval '1 hour'
    RETURNING a.name, a.facts
  `,
  );
}
