import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** Whether a rule counts for each value by itself, as far as its keys tell: a tenant's always does. */
export async function isByValue(db: Queryable, rule: string): Promise<boolean> {
  const [row] = await queryRows<{ isByValue: boolean }>(
    db,
    sql`SELECT ${rule}::text LIKE 'tenant/%' OR EXISTS (
      SELECT FROM duework.flow_keys AS k WHERE k.rule = ${rule}::text AND k.key <> k.rule
    ) AS "isByValue"`,
  );
  return row!.isByValue;
}
