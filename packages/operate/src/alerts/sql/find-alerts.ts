import type { AlertCondition, AlertSeverity } from '@duework/queue-core';
import { queryRows, sql, type Queryable } from '@duework/sql';

type Row = AlertCondition & {
  readonly severity: AlertSeverity;
  readonly raisedAt: Date;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  readonly silencedUntil: Date | null;
};

/** The alerts that are on, the gravest first; `key`: that one alone. */
export function findAlerts(db: Queryable, key: string | null = null): Promise<Row[]> {
  return queryRows(
    db,
    sql`
    SELECT a.name, a.subject, a.severity, a.facts, a.raised_at AS "raisedAt", a.acknowledged_at AS "acknowledgedAt",
      a.acknowledged_by AS "acknowledgedBy", (
        SELECT max(s.until) FROM duework.alert_silences AS s
        WHERE s.until > now() AND s.key IN ('*', a.name, duework.key_of_alert(a.name, a.subject))
      ) AS "silencedUntil"
    FROM duework.job_alerts AS a
    WHERE a.resolved_at IS NULL AND (${key}::text IS NULL OR duework.key_of_alert(a.name, a.subject) = ${key}::text)
    ORDER BY array_position(ARRAY['critical', 'warning', 'info'], a.severity), a.raised_at, a.name, a.subject
  `,
  );
}
