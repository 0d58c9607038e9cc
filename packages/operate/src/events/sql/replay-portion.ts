import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';
import type { Replay, ReplayRequest } from '../event-state.js';

/** Gives a type the next `portion` events that it has not had, in one transaction, with an entry in the audit. */
export async function replayPortion(
  db: Queryable,
  { event, to, from, until }: ReplayRequest,
  portion: number,
  act: Act,
): Promise<Replay> {
  const fromAt = from.toISOString();
  const untilAt = until?.toISOString() ?? null;
  const [row] = await queryRows<{ replayed: number; nextFrom: string | null }>(
    db,
    sql`
    WITH r AS MATERIALIZED (
      SELECT * FROM duework.replay_events(${event}::text, ${to}::text, ${fromAt}::text::timestamptz,
        coalesce(${untilAt}::text::timestamptz, now()), ${portion}::integer)
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'replay_events',
        kind: 'event',
        target: sql`${event}::text`,
        before: sql`NULL::jsonb`,
        after: sql`jsonb_build_object('to', ${to}::text, 'from', ${fromAt}::text, 'until', ${untilAt}::text, 'replayed', r.replayed)`,
        from: sql`r WHERE r.replayed > 0`,
      })}
    )
    SELECT r.replayed, to_char(r.next_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "nextFrom" FROM r`,
  );
  const { replayed, nextFrom } = row!;
  return { replayed, nextFrom: nextFrom === null ? null : new Date(nextFrom) };
}
