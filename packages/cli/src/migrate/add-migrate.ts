import { parseDatabaseUrl } from '@duework/database';
import { migrateDatabase } from '@duework/database/migrate';
import type { Command } from 'commander';
import { requireDatabaseUrl } from '../database/require-database-url.js';
import type { CommandParts } from '../program-parts.js';
import { addMigrateStatus } from './add-migrate-status.js';
import { addSql } from './add-sql.js';

/** `duework migrate`, `duework migrate status` and `duework migrate sql` */
export function addMigrate(program: Command, parts: CommandParts): void {
  const { databaseUrl, write } = parts;
  const migrate = program
    .command('migrate')
    .description('Brings the schema duework of the database up to date, and touches nothing else')
    .option('--dry-run', 'say what would be applied, and change nothing')
    .action(async ({ dryRun }: { dryRun?: true }) => {
      const url = requireDatabaseUrl(databaseUrl());
      const { label } = parseDatabaseUrl(url);
      const { appliedMigrationNames, alreadyAppliedCount, pendingMigrationNames } = await migrateDatabase({
        url,
        dryRun: dryRun === true,
        onProgress: (line) => write(`${line}\n`),
      });
      if (pendingMigrationNames.length > 0)
        return write(`${label} lacks ${pendingMigrationNames.join(', ')}; nothing was changed.\n`);
      const applied = appliedMigrationNames.length;
      write(
        applied === 0
          ? `${label} is up to date (${alreadyAppliedCount} ${alreadyAppliedCount === 1 ? 'migration' : 'migrations'}).\n`
          : `${label}: applied ${applied}, up to date.\n`,
      );
    });
  addMigrateStatus(migrate, parts);
  addSql(migrate, parts);
}
