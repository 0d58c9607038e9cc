import pg from 'pg';
import { DatabaseError } from '../database-error.js';
import { describeDatabaseError } from '../describe-database-error.js';
import { openMigrationClient } from '../migrate/open-migration-client.js';
import { withMigrationLock } from '../migrate/with-migration-lock.js';
import { parseDatabaseUrl } from '../parse-database-url.js';
import { readAbilities, type RoleAbilities } from './read-abilities.js';
import { roleNotFound } from './read-place.js';
import { rolesSql } from '../migrate/generated/migrations.js';
import type { DueworkRole } from './duework-roles.js';

interface Place {
  readonly url: string | undefined;
}

/**
 * Makes the roles that are not there, and gives all of them their rights on the schema `duework`, and no others.
 *
 * @throws DatabaseError `database_permission_denied`, which says who has to do what: an administrator, or the owner
 */
export function applyRoles({ url }: Place): Promise<void> {
  return onDatabase(url, apply);
}

/**
 * Gives one of Duework's roles to a role; where it is not there, the roles are made first. Returns what the role may do
 * then.
 *
 * @throws DatabaseError `database_permission_denied`, `role_not_found`
 */
export function grantRole({
  url,
  role,
  to,
}: Place & { readonly role: DueworkRole; readonly to: string }): Promise<RoleAbilities> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'SELECT rolname AS name FROM pg_roles WHERE rolname IN ($1, $2)',
      [role, to],
    );
    const isThere = (name: string): boolean => rows.some((row) => row.name === name);
    if (!isThere(to)) throw roleNotFound(to);
    if (!isThere(role)) await apply(client);
    try {
      await client.query(`GRANT ${pg.escapeIdentifier(role)} TO ${pg.escapeIdentifier(to)}`);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code !== '42501') throw error;
      throw denied(
        `${role} cannot be given to "${to}" by this role: ${(error as Error).message}`,
        `Let an administrator (CREATEROLE; from PostgreSQL 16 on with the ADMIN OPTION on it) run: GRANT ${role} TO ${pg.escapeIdentifier(to)};`,
        error,
      );
    }
    return readAbilities(client, to);
  });
}

/**
 * What a role may do, the one that connects unless it is named.
 *
 * @throws DatabaseError `role_not_found`
 */
export function checkRole({ url, role }: Place & { readonly role?: string | undefined }): Promise<RoleAbilities> {
  return onDatabase(url, (client) => readAbilities(client, role));
}

async function apply(client: pg.Client): Promise<void> {
  const { create, grant } = rolesSql();
  for (const statement of [create, grant])
    try {
      await withMigrationLock(
        client,
        () => client.query(statement),
        () => {},
      );
    } catch (error) {
      const { code, hint, message } = error as { code?: unknown; hint?: string; message: string };
      if (hint === undefined || (code !== '42501' && code !== '3F000')) throw error;
      throw code === '42501'
        ? denied(message, hint, error)
        : new DatabaseError('database_not_migrated', { problem: `${message}.`, fix: hint, cause: error });
    }
}

const denied = (problem: string, fix: string, cause: unknown): DatabaseError =>
  new DatabaseError('database_permission_denied', { problem: `${problem}.`, fix, cause });

async function onDatabase<T>(url: string | undefined, act: (client: pg.Client) => Promise<T>): Promise<T> {
  try {
    const client = await openMigrationClient(parseDatabaseUrl(url));
    try {
      return await act(client);
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw describeDatabaseError(error, url);
  }
}
