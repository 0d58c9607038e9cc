import { queryRows, sql } from '@duework/sql';
import type { Queryable } from '@duework/queue-core';

/** What stands between a role and the rows of our tables. */
export interface RowSecurityFacts {
  readonly role: string;
  /** Tables with row-level security; `isActive`: it holds for this role; `isOpen`: a policy shows it every row. */
  readonly tables: readonly { readonly name: string; readonly isActive: boolean; readonly isOpen: boolean }[];
}

/** One read of the catalogs. */
export async function readRowSecurity(db: Queryable): Promise<RowSecurityFacts> {
  const [row] = await queryRows<{ facts: string }>(
    db,
    sql`
    SELECT json_build_object('role', current_user, 'tables', coalesce((
      SELECT json_agg(json_build_object('name', c.relname, 'isActive', row_security_active(c.oid), 'isOpen', EXISTS (
        SELECT FROM pg_policy AS p
        WHERE p.polrelid = c.oid AND p.polpermissive AND p.polcmd = '*' AND pg_get_expr(p.polqual, p.polrelid) = 'true'
      )) ORDER BY c.relname)
      FROM pg_class AS c WHERE c.relnamespace = 'duework'::regnamespace AND c.relrowsecurity
    ), '[]'))::text AS facts`,
  );
  return JSON.parse(row!.facts) as RowSecurityFacts;
}
