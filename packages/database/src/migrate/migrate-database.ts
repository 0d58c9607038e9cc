import { releases } from './generated/ledger.js';
import { migrations, rolesSql } from './generated/migrations.js';
import { revertMigrations, type RevertOptions, type RevertResult } from './revert-migrations.js';
import { splitStatements } from './split-statements.js';
import { type MigrateDatabaseOptions, type MigrateDatabaseResult, runMigrations } from './run-migrations.js';

/** How many days of partitions a migration makes; the worker makes the later ones. */
const PARTITION_DAYS_AHEAD = 7;

/**
 * Brings the schema `duework` of a database up to date, and touches nothing else. Calls at once wait for each other;
 * each migration is one transaction, and a failed one leaves nothing behind. New objects are granted to the roles of
 * `duework roles`.
 *
 * @throws DatabaseError for every error
 */
export function migrateDatabase(options: MigrateDatabaseOptions): Promise<MigrateDatabaseResult> {
  return runMigrations({
    ...options,
    migrations,
    schema: 'duework',
    async afterwards(client, applied) {
      await client.query('SELECT duework.ensure_partitions($1)', [PARTITION_DAYS_AHEAD]);
      if (applied > 0) await client.query(rolesSql().grant);
    },
  });
}

/**
 * Takes the schema `duework` back to that of an older release, in one transaction: for when an older release is to stay. Older
 * programs run on newer schemas, so a roll-back of a deploy needs none of it.
 *
 * @throws DatabaseError `database_revert_refused` if a newer program runs, rows would be lost, or there is no way back
 */
export function revertDatabase(options: RevertOptions): Promise<RevertResult> {
  return revertMigrations({ ...options, migrations, releases, schema: 'duework' });
}

/** All statements of the migrations, in their order, without semicolons: what a repair makes anew is among them. */
export const migrationStatements = (): readonly string[] => migrations.flatMap(({ sql }) => splitStatements(sql));
