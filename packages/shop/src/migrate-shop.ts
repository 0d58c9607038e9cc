import { fileURLToPath } from 'node:url';
import {
  type MigrateDatabaseOptions,
  type MigrateDatabaseResult,
  readMigrations,
  runMigrations,
} from '@duework/database/migrate';

/** The folder beside src and dist, so that both find it. */
const migrationsDir = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Makes the tables of the example shop, in a schema `shop` that also holds the record of its migrations. Only the example
 * calls it: the database of a team gets the schema `duework` and nothing else.
 *
 * @throws DatabaseError for every error
 */
export function migrateShop(
  options: Pick<MigrateDatabaseOptions, 'url' | 'onProgress'>,
): Promise<MigrateDatabaseResult> {
  return runMigrations({ ...options, migrations: readMigrations(migrationsDir), schema: 'shop' });
}
