import { describeDatabaseError } from '../describe-database-error.js';
import { parseDatabaseUrl } from '../parse-database-url.js';
import { compareLedger, type LedgerComparison } from './compare-ledger.js';
import { migrations } from './generated/migrations.js';
import { openMigrationClient } from './open-migration-client.js';
import { type AppliedMigration, readLedger } from './read-ledger.js';

export interface MigrationStatus extends LedgerComparison {
  /** Applied ones, in the order of their names. */
  readonly applied: readonly AppliedMigration[];
  /** Nothing is missing or changed: this release can run. */
  readonly isUsable: boolean;
}

/**
 * Compares a database with this release, and changes nothing.
 *
 * @throws DatabaseError when the database cannot be read, or has the schema without its record
 */
export async function readMigrationStatus({ url }: { readonly url: string | undefined }): Promise<MigrationStatus> {
  const address = parseDatabaseUrl(url);
  try {
    const client = await openMigrationClient(address);
    try {
      const applied = await readLedger(client, 'duework');
      const comparison = compareLedger(migrations, applied);
      return { applied, ...comparison, isUsable: comparison.missing.length + comparison.changed.length === 0 };
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw describeDatabaseError(error, url, { needs: 'duework_reader' });
  }
}
