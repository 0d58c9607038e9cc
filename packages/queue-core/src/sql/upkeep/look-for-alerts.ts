import { ALERT_SEVERITIES, type AlertLimits, type AlertMessage, type AlertTold } from '../../ports/alerts.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

type Row = Omit<AlertMessage, 'raisedAt' | 'resolvedAt'> & {
  readonly raisedMs: number;
  readonly resolvedMs: number | null;
};

/** Looks at what is wrong, and returns what the caller has to tell. The function in the database says who tells what. */
export async function lookForAlerts(
  db: Queryable,
  limits: AlertLimits,
  ways: readonly string[],
): Promise<readonly AlertMessage[]> {
  const rows = await queryRows<Row>(
    db,
    sql`
    SELECT name, subject, severity, facts, status, message::float8 AS message, is_first AS "isFirst", ways,
      (extract(epoch FROM raised_at) * 1000)::float8 AS "raisedMs", (extract(epoch FROM resolved_at) * 1000)::float8 AS "resolvedMs"
    FROM duework.look_for_alerts(${JSON.stringify(limits)}::jsonb, ${JSON.stringify(ALERT_SEVERITIES)}::jsonb, ${[...ways]}::text[])
    ORDER BY name COLLATE "C", subject COLLATE "C"
  `,
  );
  return rows.map(({ raisedMs, resolvedMs, ...row }) => ({
    ...row,
    raisedAt: new Date(raisedMs),
    resolvedAt: resolvedMs === null ? null : new Date(resolvedMs),
  }));
}

export async function alertTold(db: Queryable, { name, subject, message, told, hasFailed }: AlertTold): Promise<void> {
  await queryRows(
    db,
    sql`SELECT duework.alert_told(${name}, ${subject}, ${message}::bigint, ${[...told]}::text[], ${hasFailed}::boolean)::text`,
  );
}
