export { migrateDatabase, type MigrateDatabaseOptions, type MigrateDatabaseResult } from './migrate-database.js';
export { findPrismaDir, readMigrations, type Migration } from './read-migrations.js';
