import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';

/** Ends the subscription of a type; whether it had one. */
export async function writeUnsubscribed(db: Queryable, event: string, type: string, act: Act): Promise<boolean> {
  const [row] = await queryRows<{ ended: number }>(
    db,
    sql`
    WITH u AS (
      UPDATE duework.job_definitions SET subscription = NULL, updated_at = now()
      WHERE type = ${type}::text AND event = ${event}::text AND subscription IS NOT NULL
      RETURNING type, event
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'unsubscribe',
        kind: 'event',
        target: sql`u.event`,
        before: sql`jsonb_build_object('type', u.type)`,
        after: sql`NULL::jsonb`,
        from: sql`u`,
      })}
    )
    SELECT count(*)::integer AS ended FROM u`,
  );
  return row!.ended > 0;
}
