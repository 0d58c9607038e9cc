import { queryRows, sql, type Queryable } from '@duework/sql';

/** How large the last rebuild has made an index, as the audit says; null: none is known. */
export async function findRebuiltBytes(session: Queryable, name: string): Promise<number | null> {
  const [row] = await queryRows<{ bytes: number | null }>(
    session,
    sql`
    SELECT (e.after ->> 'bytes')::float8 AS bytes FROM duework.audit_entries AS e
    WHERE e.kind = 'index' AND e.target = ${name}::text AND e.verb = 'rebuild_index'
    ORDER BY e.at DESC, e.id DESC
    LIMIT 1
  `,
  );
  return row?.bytes ?? null;
}
