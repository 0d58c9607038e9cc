import type { Act, AlertSeverity, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';

/** An alert that means nothing: whoever looks next tells it, and that it is over two minutes later. */
export async function raiseTestAlert(db: Queryable, severity: AlertSeverity, act: Act): Promise<void> {
  await queryRows(
    db,
    sql`
    WITH written AS (
      INSERT INTO duework.job_alerts AS a (name, raised_at, facts, severity)
      VALUES ('test', now(), jsonb_build_object('by', ${act.by ?? 'program'}::text), ${severity}::text)
      ON CONFLICT (name, subject) DO UPDATE SET raised_at = now(), facts = excluded.facts, severity = excluded.severity,
        seen_at = now(), resolved_at = NULL, message = a.message + 1, is_reminder = false, told = '{}', told_at = NULL,
        tries = 0, tell_at = now(), acknowledged_at = NULL, acknowledged_by = NULL
      RETURNING a.name
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'test',
        kind: 'alert',
        target: sql`w.name`,
        before: sql`'{}'::jsonb`,
        after: sql`jsonb_build_object('severity', ${severity}::text)`,
        from: sql`written AS w`,
      })}
    )
    SELECT FROM written
  `,
  );
}
