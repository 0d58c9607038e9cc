import { DatabaseError } from '../database-error.js';
import { findErrorCause } from '../find-error-cause.js';
import type { Migration } from './migration.js';

const fix = 'Correct the cause, then run again: npx duework migrate';

/** The error of a migration that PostgreSQL has refused; one of the connection is returned as it is. */
export function describeFailure(error: unknown, { name }: Pick<Migration, 'name'>, which = 'migration'): unknown {
  const { code, message } = findErrorCause(error);
  // class 57: the server ends; 08 and system errors: the connection is gone; 42501 is explained with the role
  if (!/^[0-9A-Z]{5}$/.test(code) || /^(08|57P|42501)/.test(code)) return error;
  return new DatabaseError('database_migration_failed', {
    problem: `PostgreSQL refused ${which} ${name}: ${message} (${code}). Nothing of it is in the database.`,
    fix,
    cause: error,
  });
}

/** The error of a migration that did not get its locks; `holders` says who has them. */
export const describeLocked = (error: unknown, { name }: Migration, holders: string): DatabaseError =>
  new DatabaseError('database_migration_failed', {
    problem: `Migration ${name} did not get its locks, because others hold them${holders}. Nothing of it is in the database.`,
    fix: 'End the long transaction, or wait for its end; then run again: npx duework migrate',
    cause: error,
  });
