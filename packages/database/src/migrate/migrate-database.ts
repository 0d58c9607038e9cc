import { migrations, rolesSql } from './generated/migrations.js';
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
