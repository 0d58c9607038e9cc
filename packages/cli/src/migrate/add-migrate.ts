import { parseDatabaseUrl } from '@duework/database';
import { type Command, Option } from 'commander';
import { openProgressLine } from '../output/open-progress-line.js';
import type { CommandParts } from '../program-parts.js';
import { eachDatabase } from '../shards/each-database.js';
import { addMigrateStatus } from './add-migrate-status.js';
import { addSql } from './add-sql.js';
import { tellMigration } from './tell-migration.js';

interface Given {
  readonly dryRun?: true;
  readonly verbose?: boolean;
  readonly to?: string;
  readonly repair?: true;
  readonly apply?: true;
}

/** `duework migrate`, `duework migrate status` and `duework migrate sql` */
export function addMigrate(program: Command, parts: CommandParts): void {
  const { write } = parts;
  const migrate = program
    .command('migrate')
    .description('Bring the schema duework of the database up to date; nothing else is touched')
    .option('--dry-run', 'say what would be applied, and change nothing')
    .option('--verbose', 'print a line for each migration')
    .addOption(
      new Option('--to <release>', 'take back what is newer than this release, or migration').conflicts('repair'),
    )
    .addOption(new Option('--repair', 'print the SQL that repairs what differs; exit code 3: something does'))
    .addOption(new Option('--apply', 'with --repair: run it').implies({ repair: true }))
    .action(async ({ dryRun, verbose = false, to, repair, apply }: Given) =>
      eachDatabase(parts, async (url) => {
        if (to !== undefined) return (await import('./revert.js')).revert(parts, url, { to, dryRun: dryRun === true });
        if (repair === true) return (await import('./repair.js')).repair(parts, url, apply === true && dryRun !== true);
        const { migrateDatabase } = await import('./migration-verbs.js');
        const { label } = parseDatabaseUrl(url);
        const line = openProgressLine(parts, verbose);
        const { appliedMigrationNames, alreadyAppliedCount, pendingMigrationNames } = await migrateDatabase({
          url,
          dryRun: dryRun === true,
          onProgress: tellMigration(line),
          databaseWaitMs: parts.databaseWaitMs(),
        }).finally(line.end);
        const [applied, pending] = [appliedMigrationNames.length, pendingMigrationNames.length];
        for (const name of verbose ? pendingMigrationNames : []) write(`${name}\n`);
        if (pending > 0) return write(`${label} lacks ${count(pending)}; nothing was changed.\n`);
        write(
          applied === 0
            ? `${label} is up to date (${count(alreadyAppliedCount)}).\n`
            : `${label}: applied ${count(applied)}, up to date.\n`,
        );
      }),
    );
  addMigrateStatus(migrate, parts);
  addSql(migrate, parts);
}

const count = (migrations: number): string => (migrations === 1 ? '1 migration' : `${migrations} migrations`);
