import type pg from 'pg';
import { rolesSql } from '../migrate/generated/migrations.js';

/** The statements that the roles of `duework roles` need, of those that the server has, to have their rights; and that take
 * from everybody what runs with the rights of the owner. */
export async function readMissingRights(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string }>(`
    SELECT format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', p.oid::regprocedure) AS statement
    FROM pg_proc AS p
    WHERE p.pronamespace = 'duework'::regnamespace AND p.prosecdef AND EXISTS (
      SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a WHERE a.grantee = 0
    )
    UNION ALL
    SELECT format('GRANT %s ON %s TO %I',
      string_agg(w.privilege || coalesce(' (' || quote_ident(w.attname) || ')', ''), ', ' ORDER BY w.privilege, w.attname), w.object, w.role)
    FROM (${rolesSql().wanted}) AS w
    JOIN pg_roles AS r ON r.rolname = w.role
    WHERE NOT CASE
      WHEN w.kind = 'schema' THEN has_schema_privilege(r.oid, w.oid, w.privilege)
      WHEN w.kind = 'function' THEN has_function_privilege(r.oid, w.oid, w.privilege)
      WHEN w.attname IS NULL THEN has_table_privilege(r.oid, w.oid, w.privilege)
      ELSE has_column_privilege(r.oid, w.oid, w.attname::text, w.privilege)
    END
    GROUP BY w.object, w.role`);
  return rows.map(({ statement }) => statement);
}
