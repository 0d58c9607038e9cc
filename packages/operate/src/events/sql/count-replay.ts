import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { ReplayPreview, ReplayRequest } from '../event-state.js';

const MOST = 100_000;

/** How many kept events of a time a type has not had. */
export async function countReplay(db: Queryable, { event, to, from, until }: ReplayRequest): Promise<ReplayPreview> {
  const [row] = await queryRows<{ events: number }>(
    db,
    sql`
    SELECT count(*)::integer AS events FROM (
      SELECT FROM duework.published_events AS p
      WHERE p.event = ${event}::text AND p.published_at >= ${from.toISOString()}::text::timestamptz
        AND p.published_at < coalesce(${until?.toISOString() ?? null}::text::timestamptz, now())
        AND p.payload IS NOT NULL AND NOT p.jobs ? ${to}::text
      LIMIT ${MOST + 1}::integer
    ) AS found
  `,
  );
  return { events: Math.min(row!.events, MOST), isAtLeast: row!.events > MOST };
}
