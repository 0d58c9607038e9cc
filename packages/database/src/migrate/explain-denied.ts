import type pg from 'pg';
import { DatabaseError } from '../database-error.js';
import { findErrorCause } from '../find-error-cause.js';
import { letMigrate, readPlace } from '../roles/read-place.js';

/** Who may not migrate, and how it can, where that is what PostgreSQL has refused; any other error as it is. */
export async function explainDenied(
  client: pg.Client,
  error: unknown,
  schema: string,
  name?: string,
): Promise<unknown> {
  const { code, message } = findErrorCause(error);
  if (DatabaseError.is(error) || code !== '42501') return error;
  const place = await readPlace(client, undefined, schema);
  if (place === null) return error;
  return new DatabaseError('database_permission_denied', {
    problem: `"${place.role}" may not ${name === undefined ? `migrate "${place.database}"` : `apply migration ${name}`}: ${message}.`,
    fix: place.may_migrate
      ? 'Migrate as the role that owns what this names: npx duework roles --check says what a role may do.'
      : `${letMigrate(place)}.`,
    cause: error,
  });
}
