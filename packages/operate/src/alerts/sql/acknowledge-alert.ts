import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { isoText, queryRows, sql } from '@duework/sql';

/** Notes who looks after an alert. false: it is not on. */
export async function acknowledgeAlert(db: Queryable, key: string, act: Act): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    WITH written AS (
      UPDATE duework.job_alerts AS a SET acknowledged_at = now(), acknowledged_by = ${act.by ?? 'program'}::text
      WHERE a.resolved_at IS NULL AND duework.key_of_alert(a.name, a.subject) = ${key}::text
      RETURNING duework.key_of_alert(a.name, a.subject) AS key, a.acknowledged_at
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'acknowledge',
        kind: 'alert',
        target: sql`w.key`,
        before: sql`'{}'::jsonb`,
        after: sql`jsonb_build_object('acknowledgedAt', ${isoText(sql`w.acknowledged_at`)})`,
        from: sql`written AS w`,
      })}
    )
    SELECT key FROM written
  `,
  );
  return rows.length === 1;
}
