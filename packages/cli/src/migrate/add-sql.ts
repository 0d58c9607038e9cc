import { relative } from 'node:path';
import { migrationFolders, type MigrationTool } from '@duework/database/migrate';
import { Option, type Command } from 'commander';
import type { CommandParts } from '../program-parts.js';

interface Given {
  readonly after?: string;
  readonly prisma?: true;
  readonly drizzle?: true;
  readonly knex?: true;
  readonly dir?: string;
  readonly dryRun?: true;
}

const TOOLS = ['prisma', 'drizzle', 'knex'] as const;

/** `duework migrate sql` */
export function addSql(migrate: Command, { cwd, write }: CommandParts): void {
  migrate
    .command('sql')
    .description('Print the migrations, or write them as migrations of your tool; they record themselves')
    .addOption(
      new Option('--after <name>', 'print only those after this one, which the database has').conflicts([...TOOLS]),
    )
    .addOption(toolOption('prisma', 'drizzle', 'knex'))
    .addOption(toolOption('drizzle', 'prisma', 'knex'))
    .addOption(toolOption('knex', 'prisma', 'drizzle'))
    .option('--dir <folder>', "the folder of the tool's migrations, if it is not the default")
    .option('--dry-run', 'name the files that would be written, and write nothing')
    .action(async (given: Given) => {
      const { printMigrations, writeMigrations } = await import('./migration-verbs.js');
      const { after, dir, dryRun } = given;
      const tool = TOOLS.find((name) => given[name] === true);
      if (tool === undefined)
        return write(
          printMigrations({ after })
            .map(({ text }) => text)
            .join('\n'),
        );
      const files = writeMigrations({ tool, dir, dryRun: dryRun === true });
      if (files.length === 0) return write(`${dir ?? migrationFolders[tool]} has them all.\n`);
      const verb = dryRun === true ? 'would write' : 'wrote';
      write(files.map(({ path }) => `${verb} ${relative(cwd, path) || path}\n`).join(''));
    });
}

const toolOption = (tool: MigrationTool, ...others: readonly string[]): Option =>
  new Option(`--${tool}`, `write them into ${migrationFolders[tool]}`).conflicts([...others]);
