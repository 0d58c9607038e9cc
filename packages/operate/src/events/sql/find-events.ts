import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { EventState } from '../event-state.js';

/** The events that types name, by name, with these types. `event` null: all of them. */
export async function findEvents(db: Queryable, event: string | null = null): Promise<EventState[]> {
  const rows = await queryRows<{ state: string }>(
    db,
    sql`
    SELECT json_build_object(
      'event', d.event, 'version', max(d.version), 'keepMs', max(d.event_keep_ms),
      'oldestKeptAt', (
        SELECT to_char(p.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') FROM duework.published_events AS p
        WHERE p.event = d.event ORDER BY p.published_at, p.id LIMIT 1
      ),
      'subscribers', json_agg(json_build_object(
        'type', d.type, 'queue', d.queue, 'version', d.version, 'isSubscribed', d.subscription IS NOT NULL,
        'delayMs', coalesce((d.subscription ->> 'delayMs')::float8, 0),
        'workers', ARRAY(
          SELECT w.worker FROM duework.worker_contracts AS w
          WHERE w.contracts ? d.type AND w.seen_at > now() - interval '3 minutes'
            AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))
          ORDER BY w.worker
        )
      ) ORDER BY d.type)
    )::text AS state
    FROM duework.job_definitions AS d
    WHERE d.event IS NOT NULL AND (${event}::text IS NULL OR d.event = ${event}::text)
    GROUP BY d.event
    ORDER BY d.event
  `,
  );
  return rows.map(({ state }) => {
    const found = JSON.parse(state) as Omit<EventState, 'oldestKeptAt'> & { readonly oldestKeptAt: string | null };
    return { ...found, oldestKeptAt: found.oldestKeptAt === null ? null : new Date(found.oldestKeptAt) };
  });
}
