import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseError } from '../database-error.js';
import { describeDatabaseError } from '../describe-database-error.js';
import { nameSome } from '../name-some.js';
import { parseDatabaseUrl } from '../parse-database-url.js';
import { isAboutLocks, LOCK_TIMEOUT_MS, PAUSE_MS } from './apply-migration.js';
import { compareLedger } from './compare-ledger.js';
import { explainDenied } from './explain-denied.js';
import type { Migration } from './migration.js';
import { openMigrationClient } from './open-migration-client.js';
import { readLedger } from './read-ledger.js';
import { runDown, type Loss } from './run-down.js';
import { withMigrationLock } from './with-migration-lock.js';

export interface RevertOptions {
  readonly url: string | undefined;
  /** A release, such as `1.0.0`, or the name of a migration, such as `20261120121400_alerts`: what is newer goes. */
  readonly to: string;
  /** Says what would go and be lost, and changes nothing. */
  readonly dryRun?: boolean;
  readonly onProgress?: (message: string) => void;
  /** For how long it tries to get its locks. Default: five minutes. */
  readonly lockWaitMs?: number;
}

export interface RevertMigrationsOptions extends RevertOptions {
  /** All that this release knows, in their order. */
  readonly migrations: readonly Migration[];
  readonly releases: readonly { readonly version: string; readonly last: string }[];
  readonly schema: string;
}

export interface RevertResult {
  /** In the order in which they went, the newest first; in a dry run those that would. */
  readonly reverted: readonly string[];
  /** What would be lost; only a dry run returns it, because else nothing goes. */
  readonly losses: readonly Loss[];
}

const LOCK_WAIT_MS = 5 * 60_000;

/**
 * Takes the newest migrations back, in one transaction, under the migrators' lock.
 *
 * @throws DatabaseError `database_revert_refused` if a newer program runs, data would be lost, a migration has no way back, or
 *   nobody knows `to`; `database_migration_failed`; any error of the connection
 */
export async function revertMigrations(options: RevertMigrationsOptions): Promise<RevertResult> {
  const address = parseDatabaseUrl(options.url);
  const onProgress = options.onProgress ?? (() => {});
  try {
    const client = await openMigrationClient(address);
    try {
      return await withMigrationLock(client, () => revert(client, options, onProgress), onProgress);
    } catch (error) {
      throw await explainDenied(client, error, options.schema);
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw describeDatabaseError(error, options.url);
  }
}

async function revert(
  client: pg.Client,
  options: RevertMigrationsOptions,
  onProgress: (message: string) => void,
): Promise<RevertResult> {
  const newer = await findNewer(client, options);
  const reverted = newer.map(({ name }) => name);
  if (newer.length === 0) return { reverted, losses: [] };
  const giveUpAt = performance.now() + (options.lockWaitMs ?? LOCK_WAIT_MS);
  for (;;) {
    try {
      return { reverted, losses: await tryOnce(client, options, newer) };
    } catch (error) {
      await client.query('ROLLBACK');
      if (!isAboutLocks(error)) throw error;
      if (performance.now() > giveUpAt) throw refuse('Others hold the tables', 'End long transactions, and try again');
      onProgress('It waits for a lock that others hold, and tries again in a second …');
      await delay(PAUSE_MS);
    }
  }
}

async function tryOnce(
  client: pg.Client,
  { schema, dryRun }: RevertMigrationsOptions,
  newer: readonly Migration[],
): Promise<readonly Loss[]> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL statement_timeout = 0`);
  // whoever starts from now on waits, and then finds the older schema
  await client.query(`LOCK TABLE ${schema}.migrations IN ACCESS EXCLUSIVE MODE`);
  await refuseBesideNewer(client, schema, newer);
  const losses: Loss[] = [];
  for (const migration of newer) {
    losses.push(...(await runDown(client, migration, schema)));
    await client.query(`DELETE FROM ${schema}.migrations WHERE name = $1`, [migration.name]);
  }
  if (dryRun !== true && losses.length > 0)
    throw refuse(
      `It would lose ${losses.map(({ what, rows, some }) => `${what} (${rows}: ${some.join(', ')}${rows > some.length ? ', …' : ''})`).join(' and ')}`,
      'Copy or delete these rows first, or stay with this schema: older programs run on it',
    );
  await client.query(dryRun === true ? 'ROLLBACK' : 'COMMIT');
  return losses;
}

/** The migrations that go, the newest first. */
async function findNewer(
  client: pg.Client,
  { migrations, releases, schema, to }: RevertMigrationsOptions,
): Promise<readonly Migration[]> {
  const last = releases.find(({ version }) => version === to)?.last ?? to;
  if (!migrations.some(({ name }) => name === last))
    throw refuse(
      `${JSON.stringify(to)} is no release or migration that this release knows`,
      `Name one of these: ${nameSome([...releases.map(({ version }) => version), ...migrations.map(({ name }) => name).slice(-3)])}`,
    );
  const applied = await readLedger(client, schema);
  const { unknown, changed } = compareLedger(migrations, applied);
  if (unknown.length + changed.length > 0)
    throw refuse(
      `The database has ${nameSome([...unknown, ...changed])}, which this release does not know, or has otherwise`,
      'Use the release that has migrated it last',
    );
  const has = new Set(applied.map(({ name }) => name));
  const newer = migrations.filter(({ name }) => name > last && has.has(name)).toReversed();
  const stuck = newer.filter(({ down }) => down === undefined).map(({ name }) => name);
  if (stuck.length > 0)
    throw refuse(`There is no way back from ${nameSome(stuck)}`, 'Older programs run on this schema, too: leave it');
  return newer;
}

/** Programs whose release needs what would go: workers that have said so within three minutes, and connections of an API. */
async function refuseBesideNewer(client: pg.Client, schema: string, newer: readonly Migration[]): Promise<void> {
  const { rows } = await client.query<{ who: string }>(
    `SELECT w.worker AS who FROM ${schema}.worker_contracts AS w
       WHERE w.seen_at > now() - interval '3 minutes' AND w.needs = ANY($1::text[])
     UNION
     SELECT format('%s (pid %s)', a.application_name, a.pid) FROM pg_stat_activity AS a
       WHERE a.datname = current_database() AND a.application_name LIKE 'duework-api %' AND split_part(a.application_name, ' ', 2) = ANY($1::text[])
     ORDER BY 1`,
    [newer.map(({ name }) => name)],
  );
  if (rows.length > 0)
    throw refuse(
      `Programs that need it run: ${nameSome(rows.map(({ who }) => who))}`,
      'Deploy the older release first, which runs on this schema; one that was killed counts for three minutes',
    );
}

const refuse = (problem: string, fix: string): DatabaseError =>
  new DatabaseError('database_revert_refused', { problem: `${problem}. Nothing was changed.`, fix: `${fix}.` });
