/** What migrates and grants, apart: with it come all migrations. */
export {
  applyRoles,
  checkRole,
  grantRole,
  migrateDatabase,
  printMigrations,
  printRoles,
  readMigrationStatus,
  readRemoval,
  removeSchema,
  writeMigrations,
} from '@duework/database/migrate';
