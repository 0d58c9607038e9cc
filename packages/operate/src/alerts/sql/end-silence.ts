import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { isoText, queryRows, sql } from '@duework/sql';

/** Ends the silence of a key. false: there is none. */
export async function endSilence(db: Queryable, key: string, act: Act): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    WITH gone AS (DELETE FROM duework.alert_silences AS s WHERE s.key = ${key}::text RETURNING s.*),
    audited AS (
      ${insertAudit(act, {
        verb: 'end_silence',
        kind: 'alert',
        target: sql`g.key`,
        before: sql`jsonb_build_object('silencedUntil', ${isoText(sql`g.until`)})`,
        after: sql`'{"silencedUntil": null}'::jsonb`,
        from: sql`gone AS g`,
      })}
    )
    SELECT key FROM gone
  `,
  );
  return rows.length === 1;
}
