/** `duework/migrate`: what the command `duework migrate` calls, for those who migrate from a program. */
export {
  checkDatabase,
  DatabaseError,
  externalTables,
  migrateDatabase,
  printMigrations,
  readMigrationStatus,
  type DatabaseErrorCode,
  type MigrateDatabaseOptions,
  type MigrateDatabaseResult,
  type Migration,
  type MigrationStatus,
  type MigrationTool,
  type PrintedFile,
  type PrintMigrationsOptions,
  type RawQueryable,
  type RawStatement,
} from '@duework/database/migrate';
