export { checkDatabase } from '../check-database.js';
export { DatabaseError, type DatabaseErrorCode } from '../database-error.js';
export type { RawQueryable, RawStatement } from '../raw-queryable.js';
export { migrations } from './generated/migrations.js';
export { migrateDatabase, migrationStatements, revertDatabase } from './migrate-database.js';
export type { Migration } from './migration.js';
export { externalTables } from './print/external-tables.js';
export type { MigrationTool } from './print/print-files.js';
export { printMigrations, type PrintMigrationsOptions } from './print/print-migrations.js';
export type { PrintedFile } from './print/printed-file.js';
export { migrationFolders } from './print/migration-folders.js';
export { writeMigrations, type WriteMigrationsOptions } from './print/write-migrations.js';
export type { AppliedMigration } from './read-ledger.js';
export { type MigrationStatus, readMigrationStatus } from './read-migration-status.js';
export { readRightsToRepair, repairSchema, type RepairOptions } from './repair-schema.js';
export { readMigrations } from './read-migrations.js';
export { readRemoval, type Removal, type Removed, removeSchema } from './remove-schema.js';
export {
  revertMigrations,
  type RevertMigrationsOptions,
  type RevertOptions,
  type RevertResult,
} from './revert-migrations.js';
export type { Loss } from './run-down.js';
export {
  type MigrateDatabaseOptions,
  type MigrateDatabaseResult,
  type MigrationStep,
  runMigrations,
  type RunMigrationsOptions,
  type TellMigration,
} from './run-migrations.js';
export { applyRoles, checkRole, grantRole } from '../roles/manage-roles.js';
export { ABILITIES, type Ability } from '../roles/abilities.js';
export type { RoleAbilities } from '../roles/read-abilities.js';
export { printRoles } from '../roles/print-roles.js';
export { DUEWORK_ROLES, type DueworkRole } from '../roles/duework-roles.js';
