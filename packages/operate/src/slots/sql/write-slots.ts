import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';

/**
 * Sets the slots of a queue, or takes that back: null. What is so already changes nothing, and leaves no entry in the
 * audit.
 */
export async function writeSlots(db: Queryable, queue: string, slots: number | null, act: Act): Promise<void> {
  if (slots === null) {
    await queryRows(
      db,
      sql`
      WITH b AS (DELETE FROM duework.queue_slots WHERE queue = ${queue}::text RETURNING *),
      audited AS (
        ${insertAudit(act, {
          verb: 'change_slots',
          kind: 'queue',
          target: sql`b.queue`,
          before: sql`jsonb_build_object('slots', b.slots)`,
          after: sql`NULL::jsonb`,
          from: sql`b`,
        })}
      )
      SELECT count(*)::integer AS taken_back FROM b`,
    );
    return;
  }
  await queryRows(
    db,
    sql`
    WITH b AS MATERIALIZED (
      SELECT * FROM duework.queue_slots WHERE queue = ${queue}::text FOR UPDATE
    ),
    w AS (
      INSERT INTO duework.queue_slots AS q (queue, slots, by, reason)
      SELECT ${queue}::text, ${slots}::integer, ${act.by ?? null}::text, ${act.reason ?? null}::text
      -- read first: a row that this statement has written could not be locked any more
      WHERE (SELECT count(*) FROM b) >= 0
      ON CONFLICT (queue) DO UPDATE SET slots = excluded.slots, since = now(), by = excluded.by, reason = excluded.reason
      WHERE q.slots <> excluded.slots
      RETURNING q.*
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'change_slots',
        kind: 'queue',
        target: sql`w.queue`,
        before: sql`CASE WHEN b.queue IS NOT NULL THEN jsonb_build_object('slots', b.slots) END`,
        after: sql`jsonb_build_object('slots', w.slots)`,
        from: sql`w LEFT JOIN b ON true`,
      })}
    )
    SELECT count(*)::integer AS written FROM w`,
  );
}
