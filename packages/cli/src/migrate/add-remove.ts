import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { eachDatabase } from '../shards/each-database.js';

/** `duework remove` */
export function addRemove(program: Command, parts: CommandParts): void {
  program
    .command('remove')
    .description('Show what leaving Duework would drop from the database, and drop it with --confirm')
    .option('--confirm <database>', 'drop the schema duework, with all jobs, from the database of this name')
    .action(async ({ confirm }: { confirm?: string }) =>
      eachDatabase(parts, async (url) => (await import('./remove-duework.js')).removeDuework(parts, url, confirm)),
    );
}
