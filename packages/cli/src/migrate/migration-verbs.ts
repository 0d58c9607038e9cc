/** What migrates and grants, apart: with it come all migrations. */
export {
  applyRoles,
  checkRole,
  grantRole,
  migrateDatabase,
  migrationStatements,
  printMigrations,
  printRoles,
  readMigrationStatus,
  readRemoval,
  readRightsToRepair,
  removeSchema,
  repairSchema,
  revertDatabase,
  writeMigrations,
} from '@duework/database/migrate';
