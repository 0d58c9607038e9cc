import { nameSome } from '../name-some.js';
import { DatabaseError } from '../database-error.js';
import type { Migration } from './migration.js';
import type { AppliedMigration } from './read-ledger.js';

/** How the ledger of a database compares with the migrations of this release; names in their order. */
export interface LedgerComparison {
  readonly missing: readonly string[];
  /** Applied, and not of this release: a newer one has migrated. */
  readonly unknown: readonly string[];
  /** Applied with a text that differs from the one in this release. */
  readonly changed: readonly string[];
}

/** Compares, and refuses nothing. */
export function compareLedger(
  shipped: readonly Pick<Migration, 'name' | 'checksum'>[],
  applied: readonly Pick<AppliedMigration, 'name' | 'checksum'>[],
): LedgerComparison {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const known = new Set(shipped.map(({ name }) => name));
  return {
    missing: shipped.filter(({ name }) => !checksums.has(name)).map(({ name }) => name),
    unknown: applied
      .map(({ name }) => name)
      .filter((name) => !known.has(name))
      .sort(),
    changed: shipped
      .filter(({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum)
      .map(({ name }) => name),
  };
}

/**
 * The names of the migrations that are missing. Those that only the database knows are accepted: during a deployment the
 * old release runs on the new tables.
 *
 * @throws DatabaseError `database_migration_failed` when one was changed, or is missing where a newer release has
 *   migrated
 */
export function findMissing(
  shipped: readonly Pick<Migration, 'name' | 'checksum'>[],
  applied: readonly Pick<AppliedMigration, 'name' | 'checksum'>[],
): readonly string[] {
  const { missing, unknown, changed } = compareLedger(shipped, applied);
  if (changed.length > 0)
    throw new DatabaseError('database_migration_failed', {
      problem: `Migration ${nameSome(changed)} in this database differs from the one in this release (its checksum does not match).`,
      fix: 'Released migrations never change: use the release that migrated this database, or a newer one.',
    });
  if (missing.length > 0 && unknown.length > 0)
    throw new DatabaseError('database_migration_failed', {
      problem: `The database has migrations that this release does not know (${nameSome(unknown)}) and lacks ${nameSome(missing)}.`,
      fix: 'Run npx duework migrate with the release that has them all. If its jobs are not needed (in development), recreate it: DROP SCHEMA duework CASCADE, then npx duework migrate.',
    });
  return missing;
}
