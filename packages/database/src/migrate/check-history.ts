import { DatabaseError } from '../database-error.js';
import type { Migration } from './read-migrations.js';

/** One row of Prisma's `_prisma_migrations`. */
export interface MigrationRow {
  readonly name: string;
  readonly checksum: string;
  readonly isFinished: boolean;
  readonly isRolledBack: boolean;
}

const edited = (names: readonly string[]): DatabaseError =>
  new DatabaseError('database_migration_failed', {
    problem: `Changed after it was applied: migration ${names.join(', ')}.`,
    fix: 'Restore the file as it was, and put the change into a new migration.',
  });

/** The sentence about a migration that failed earlier. */
export const failedEarlier = (names: readonly string[]): DatabaseError =>
  new DatabaseError('database_migration_failed', {
    problem: `Failed when it was applied: migration ${names.join(', ')}. Nothing of it is in the database.`,
    fix: 'Correct the cause, then run: npm run migrate -- --retry-failed',
  });

/** The migrations that failed and were neither repeated nor marked as rolled back. */
export function findFailed(rows: readonly MigrationRow[]): readonly string[] {
  const done = new Set(rows.filter((row) => row.isFinished && !row.isRolledBack).map((row) => row.name));
  return rows.filter((row) => !row.isFinished && !row.isRolledBack && !done.has(row.name)).map((row) => row.name);
}

/**
 * Compares the shipped migrations with the applied ones and returns the names of the missing ones. Migrations that only
 * the database knows are accepted: during a deployment the old release runs on the new tables.
 *
 * @throws DatabaseError `database_migration_failed` when one was edited, failed, or would come before an unknown one
 */
export function findUnapplied(shipped: readonly Migration[], rows: readonly MigrationRow[]): readonly string[] {
  const failed = findFailed(rows);
  if (failed.length > 0) throw failedEarlier(failed);

  const applied = new Map(
    rows.filter((row) => row.isFinished && !row.isRolledBack).map((row) => [row.name, row.checksum]),
  );
  const changed = shipped.filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum);
  if (changed.length > 0) throw edited(changed.map(({ name }) => name));

  const missing = shipped.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
  const known = new Set(shipped.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name)).sort();
  if (missing.length > 0 && unknown.length > 0) {
    throw new DatabaseError('database_migration_failed', {
      problem: `The database has migrations that this release does not know (${unknown.join(', ')}) and lacks ${missing.join(', ')}.`,
      fix: 'Migrate with the release that has them all.',
    });
  }
  return missing;
}
