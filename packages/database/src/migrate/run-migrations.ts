import type pg from 'pg';
import { awaitDatabase, DATABASE_WAIT_MS } from '../await-database.js';
import { checkServer } from '../check-server.js';
import { describeDatabaseError } from '../describe-database-error.js';
import { parseDatabaseUrl } from '../parse-database-url.js';
import { applyMigration } from './apply-migration.js';
import { findMissing } from './compare-ledger.js';
import type { Migration } from './migration.js';
import { explainDenied } from './explain-denied.js';
import { openMigrationClient } from './open-migration-client.js';
import { readLedger } from './read-ledger.js';
import { withMigrationLock } from './with-migration-lock.js';

/** Which migration is applied now, of how many. */
export interface MigrationStep {
  readonly name: string;
  /** From 1. */
  readonly number: number;
  readonly total: number;
}

/** Gets a line; without a step: why the migration waits. */
export type TellMigration = (message: string, step?: MigrationStep) => void;

export interface MigrateDatabaseOptions {
  readonly url: string | undefined;
  /** Reports what would be applied, and changes nothing. */
  readonly dryRun?: boolean;
  /** Called with a line for each step, and with each migration that begins. */
  readonly onProgress?: TellMigration;
  /** For how long a migration tries to get its locks. Default: five minutes. */
  readonly lockWaitMs?: number;
  /** For how long it waits for a server that is not there yet; 0: not at all. Default: a minute. */
  readonly databaseWaitMs?: number;
  /** Ends that wait. */
  readonly signal?: AbortSignal;
}

export interface RunMigrationsOptions extends MigrateDatabaseOptions {
  /** In the order in which they are applied; the first one makes the schema and its table `migrations`. */
  readonly migrations: readonly Migration[];
  /** What they make, and where their record is: one word, lower case. */
  readonly schema: string;
  /** Runs once all are applied, `applied` of them now, while other migrators still wait. */
  readonly afterwards?: (client: pg.Client, applied: number) => Promise<unknown>;
}

export interface MigrateDatabaseResult {
  /** In the order in which they were applied; empty when the database was up to date, and in a dry run. */
  readonly appliedMigrationNames: readonly string[];
  readonly alreadyAppliedCount: number;
  /** Migrations that a dry run found. */
  readonly pendingMigrationNames: readonly string[];
}

const LOCK_WAIT_MS = 5 * 60_000;

/**
 * Applies the migrations that a schema lacks. Safe to run from several places at once and repeatedly: migrators wait for
 * a lock, and the second finds nothing to do.
 *
 * @throws DatabaseError for every error
 */
export async function runMigrations(options: RunMigrationsOptions): Promise<MigrateDatabaseResult> {
  const address = parseDatabaseUrl(options.url);
  const onProgress = options.onProgress ?? (() => {});
  try {
    const client = await awaitDatabase(
      () =>
        openMigrationClient(address).catch((error: unknown) =>
          Promise.reject(describeDatabaseError(error, options.url)),
        ),
      {
        waitMs: options.databaseWaitMs ?? DATABASE_WAIT_MS,
        onWait: ({ problem }, leftMs) => onProgress(`Waiting up to ${Math.ceil(leftMs / 1_000)} s: ${problem}`),
        signal: options.signal,
      },
    );
    try {
      if (options.dryRun === true) return await look(client, options);
      return await withMigrationLock(client, () => apply(client, options, onProgress), onProgress);
    } catch (error) {
      throw await explainDenied(client, error, options.schema);
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw describeDatabaseError(error, options.url);
  }
}

async function look(client: pg.Client, options: RunMigrationsOptions): Promise<MigrateDatabaseResult> {
  const pending = await findPending(client, options);
  return {
    appliedMigrationNames: [],
    alreadyAppliedCount: options.migrations.length - pending.length,
    pendingMigrationNames: pending.map(({ name }) => name),
  };
}

async function apply(
  client: pg.Client,
  options: RunMigrationsOptions,
  onProgress: TellMigration,
): Promise<MigrateDatabaseResult> {
  const pending = await findPending(client, options);
  for (const [index, migration] of pending.entries()) {
    const step = { name: migration.name, number: index + 1, total: pending.length };
    onProgress(`Applying ${step.name} (${step.number} of ${step.total}) …`, step);
    await applyMigration(client, migration, {
      schema: options.schema,
      onProgress,
      lockWaitMs: options.lockWaitMs ?? LOCK_WAIT_MS,
    }).catch(async (error: unknown) => {
      throw await explainDenied(client, error, options.schema, step.name);
    });
  }
  await options.afterwards?.(client, pending.length);
  return {
    appliedMigrationNames: pending.map(({ name }) => name),
    alreadyAppliedCount: options.migrations.length - pending.length,
    pendingMigrationNames: [],
  };
}

async function findPending(client: pg.Client, options: RunMigrationsOptions): Promise<readonly Migration[]> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`,
  );
  checkServer(rows[0]!.version, rows[0]!.encoding);
  const missing = findMissing(options.migrations, await readLedger(client, options.schema));
  return options.migrations.filter(({ name }) => missing.includes(name));
}
