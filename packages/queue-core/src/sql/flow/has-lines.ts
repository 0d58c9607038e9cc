import { queryRows, sql, type Queryable } from '@duework/sql';

/** Whether any contract of this database has flow rules, or left something of them. */
export async function hasLines(db: Queryable): Promise<boolean> {
  const [row] = await queryRows<{ has_lines: boolean }>(
    db,
    sql`
    SELECT EXISTS (SELECT FROM duework.flow_rules) OR EXISTS (SELECT FROM duework.flow_keys)
      OR EXISTS (SELECT FROM duework.flow_looks) OR EXISTS (SELECT FROM duework.flow_waits) AS has_lines
  `,
  );
  return row!.has_lines;
}
