import { queryRows, sql, type Queryable } from '@duework/sql';

/** Whether any contract of this database has flow rules. */
export async function hasRules(db: Queryable): Promise<boolean> {
  const [row] = await queryRows<{ has_rules: boolean }>(
    db,
    sql`SELECT EXISTS (SELECT FROM duework.flow_rules) AS has_rules`,
  );
  return row!.has_rules;
}
