/**
 * Brings a database up to date with the shipped migrations. Safe to run from several places at once and repeatedly:
 * migrators wait for a lock, and the second finds nothing to do. A migration is one transaction, so one that fails
 * leaves nothing behind and is refused by name until it is retried.
 */
import type pg from 'pg';
import { checkServerVersion } from '../check-server-version.js';
import { describeDatabaseError } from '../describe-database-error.js';
import { parseDatabaseUrl, type DatabaseAddress } from '../parse-database-url.js';
import { applyMigrations } from './apply-migrations.js';
import { findFailed, findUnapplied } from './check-history.js';
import { readHistory } from './read-history.js';
import { readMigrations } from './read-migrations.js';
import { withMigrationLock } from './with-migration-lock.js';

export interface MigrateDatabaseOptions {
  readonly url: string | undefined;
  /** Called with what is being done, a line at a time. */
  readonly onProgress?: (message: string) => void;
  /** Applies failed migrations again, instead of refusing them. */
  readonly isRetryingFailed?: boolean;
  /** A folder with a folder for each migration. Default: those of Duework, which are shipped with this package. */
  readonly migrationsDir?: string;
  /**
   * The schema that the migrations make, which also holds their record; a program has one for each folder. Default:
   * duework.
   */
  readonly schema?: string;
}

export interface MigrateDatabaseResult {
  /** In the order in which they were applied; empty when the database was up to date. */
  readonly appliedMigrationNames: readonly string[];
  readonly alreadyAppliedCount: number;
}

/** How many days of partitions a fresh migration makes; the worker makes the later ones. */
const partitionDaysAhead = 7;

/** @throws DatabaseError for every error */
export async function migrateDatabase(options: MigrateDatabaseOptions): Promise<MigrateDatabaseResult> {
  const address = parseDatabaseUrl(options.url);
  const onProgress = options.onProgress ?? (() => {});
  try {
    return await withMigrationLock(address, (client) => migrate(client, address, options, onProgress), onProgress);
  } catch (error) {
    throw describeDatabaseError(error, options.url);
  }
}

async function migrate(
  client: pg.Client,
  address: DatabaseAddress,
  options: MigrateDatabaseOptions,
  onProgress: (message: string) => void,
): Promise<MigrateDatabaseResult> {
  const canCreate = await checkServer(client);
  const schema = options.schema ?? 'duework';
  const shipped = readMigrations(options.migrationsDir);
  const history = await readHistory(client, schema);
  const retried = options.isRetryingFailed === true ? findFailed(history) : [];
  const unapplied = findUnapplied(
    shipped,
    history.filter(({ name }) => !retried.includes(name)),
  );
  if (unapplied.length > 0) {
    if (!canCreate) throw Object.assign(new Error('creating schemas is not allowed'), { code: '42501' });
    onProgress(
      `Applying ${unapplied.length === 1 ? 'migration' : `${unapplied.length} migrations`}: ${unapplied.join(', ')}`,
    );
    await applyMigrations(address, shipped, retried, schema);
  }
  if (schema === 'duework') await client.query('SELECT duework.ensure_partitions($1)', [partitionDaysAhead]);
  return { appliedMigrationNames: unapplied, alreadyAppliedCount: shipped.length - unapplied.length };
}

/** Refuses a server that is too old; returns whether this role may create schemas. */
async function checkServer(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ version: number; can_create: boolean }>(`
    SELECT current_setting('server_version_num')::int AS version,
      has_database_privilege(current_database(), 'CREATE') AS can_create`);
  checkServerVersion(rows[0]?.version ?? 0);
  return rows[0]?.can_create === true;
}
