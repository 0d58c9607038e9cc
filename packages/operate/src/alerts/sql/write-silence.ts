import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { isoText, queryRows, sql } from '@duework/sql';

/** Silences a key for so many milliseconds; one that is silenced gets this end. */
export async function writeSilence(db: Queryable, key: string, ms: number, act: Act): Promise<void> {
  await queryRows(
    db,
    sql`
    WITH before AS MATERIALIZED (SELECT s.key, s.until FROM duework.alert_silences AS s WHERE s.key = ${key}::text),
    written AS (
      INSERT INTO duework.alert_silences AS s (key, until, by, reason)
      VALUES (${key}::text, now() + ${ms}::float8 * interval '1 millisecond', ${act.by ?? 'program'}::text, ${act.reason ?? null}::text)
      ON CONFLICT (key) DO UPDATE SET until = excluded.until, by = excluded.by, reason = excluded.reason
      RETURNING s.*
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'silence',
        kind: 'alert',
        target: sql`w.key`,
        before: sql`jsonb_build_object('silencedUntil', ${isoText(sql`b.until`)})`,
        after: sql`jsonb_build_object('silencedUntil', ${isoText(sql`w.until`)})`,
        from: sql`written AS w LEFT JOIN before AS b ON true`,
      })}
    )
    SELECT FROM written
  `,
  );
}
