export { migrateDatabase, type MigrateDatabaseOptions, type MigrateDatabaseResult } from './migrate-database.js';
export { findMigrationsDir, readMigrations, type Migration } from './read-migrations.js';
