import { DatabaseError } from '../../database-error.js';
import { migrations } from '../generated/migrations.js';
import type { Migration } from '../migration.js';
import { printFiles, type PrintOptions } from './print-files.js';
import type { PrintedFile } from './printed-file.js';

export interface PrintMigrationsOptions extends PrintOptions {
  /** The last migration that the database has; later ones are printed. Default: all. */
  readonly after?: string | undefined;
}

/**
 * Duework's migrations as plain SQL, or as migrations of another tool. They record themselves: `migrateDatabase` has
 * nothing to do afterwards, and neither do they when recorded.
 *
 * @throws DatabaseError `migration_unknown`
 */
export const printMigrations = ({ after, ...options }: PrintMigrationsOptions = {}): readonly PrintedFile[] =>
  printFiles(findMigrationsAfter(after), options);

/** @throws DatabaseError `migration_unknown` */
function findMigrationsAfter(name: string | undefined): readonly Migration[] {
  if (name === undefined) return migrations;
  const at = migrations.findIndex((migration) => migration.name === name);
  if (at === -1)
    throw new DatabaseError('migration_unknown', {
      problem: `There is no migration ${JSON.stringify(name)}.`,
      fix: `These are known: ${migrations.map((migration) => migration.name).join(', ')}.`,
    });
  return migrations.slice(at + 1);
}
