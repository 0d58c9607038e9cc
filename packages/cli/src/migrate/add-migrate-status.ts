import { parseDatabaseUrl } from '@duework/database';
import type { Command } from 'commander';
import { FINDING } from '../exit-codes.js';
import { formatTable } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { eachDatabase } from '../shards/each-database.js';
import { PRINTED } from '../option-words.js';

/** `duework migrate status` */
export function addMigrateStatus(migrate: Command, parts: CommandParts): void {
  const { look, write, exitWith } = parts;
  migrate
    .command('status')
    .description('Show applied and missing migrations; exit code 3: the database lacks some of this release')
    .option(...PRINTED)
    .action(async ({ json }: { json?: true }) =>
      eachDatabase(parts, async (url) => {
        const { readMigrationStatus } = await import('./migration-verbs.js');
        const status = await readMigrationStatus({ url });
        if (!status.isUsable) exitWith(FINDING);
        if (json) return write(`${JSON.stringify(status, null, 2)}\n`);
        const changed = new Set(status.changed);
        const unknown = new Set(status.unknown);
        const rows = [
          ...status.applied.map(({ name, appliedAt }) => [
            name,
            appliedAt.toISOString(),
            changed.has(name) ? 'changed' : unknown.has(name) ? 'of a newer release' : 'applied',
          ]),
          ...status.missing.map((name) => [name, '', 'missing']),
        ];
        const { label } = parseDatabaseUrl(url);
        write(formatTable(['MIGRATION', 'APPLIED', 'STATE'], rows, '', look));
        write(
          status.isUsable
            ? `\n${label} is up to date.\n`
            : `\n${label} is not: ${status.changed.length > 0 ? 'use the release that migrated it, or a newer one' : 'run npx duework migrate'}.\n`,
        );
      }),
    );
}
