import type pg from 'pg';
import { DatabaseError } from '../database-error.js';

/** A role, and where it stands to a schema of a database. */
export interface RolePlace {
  readonly schema: string;
  readonly role: string;
  /** Of the schema; null: it is not there. */
  readonly owner: string | null;
  readonly database: string;
  /** Whether it acts as that owner, or may make the schema. */
  readonly may_migrate: boolean;
}

/** The role that connects, unless one is named; null: the server has no such role. */
export async function readPlace(
  client: Pick<pg.ClientBase, 'query'>,
  named: string | undefined,
  schema = 'duework',
): Promise<RolePlace | null> {
  const { rows } = await client.query<RolePlace>(
    `SELECT $2::text AS schema, r.rolname AS role, pg_get_userbyid(n.nspowner) AS owner, current_database() AS database, CASE
       WHEN n.oid IS NULL THEN has_database_privilege(r.oid, current_database(), 'CREATE')
       ELSE pg_has_role(r.oid, n.nspowner, 'USAGE')
     END AS may_migrate
     FROM pg_roles r LEFT JOIN pg_namespace n ON n.nspname = $2
     WHERE r.rolname = coalesce($1::text, current_user)`,
    [named ?? null, schema],
  );
  return rows[0] ?? null;
}

export const roleNotFound = (role: string): DatabaseError =>
  new DatabaseError('role_not_found', {
    problem: `The server has no role "${role}".`,
    fix: `Make it first: CREATE ROLE "${role}" LOGIN PASSWORD '…'`,
  });

/** How a role that may not migrate can. */
export const letMigrate = ({ role, schema, owner, database }: RolePlace): string =>
  owner === null
    ? `As the owner of the database run: GRANT CREATE ON DATABASE "${database}" TO "${role}"`
    : `Migrate as "${owner}", which owns the schema ${schema}, or run: GRANT "${owner}" TO "${role}"`;
