import { Option, type Command } from 'commander';
import { FINDING } from '../exit-codes.js';
import { PRINTED, REASON } from '../option-words.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { eachClient } from '../shards/each-client.js';
import { eachDatabase } from '../shards/each-database.js';
import { wholeNumber } from '../whole-number.js';

export interface IndexesGiven {
  readonly rebuild?: true;
  readonly over?: number;
  readonly reason?: string;
  readonly json?: true;
}

const NOTES = `
--rebuild needs the role that owns the schema, as migrate does, and no pooler in transaction mode. It builds each index anew
beside the old one, while jobs go on (REINDEX INDEX CONCURRENTLY). It does not begin beside a transaction that it would wait
for, gives up where one comes, and drops what an unfinished rebuild has left. Ctrl-C ends it, after it has cleaned up.`;

/** `duework indexes` */
export function addIndexes(program: Command, parts: CommandParts): void {
  const { isOnApi, write, look, exitWith } = parts;
  program
    .command('indexes')
    .description('List the indexes of Duework with their empty space, and rebuild those that are mostly empty')
    .addHelpText('after', NOTES)
    .option('--rebuild', 'rebuild them, one at a time; exit code 3: some are left as they were')
    .addOption(new Option('--over <megabytes>', 'only from so much empty space on').argParser(wholeNumber).default(64))
    .option(...REASON)
    .option(...PRINTED)
    .action(async (given: IndexesGiven) => {
      if (isOnApi())
        throw new PlainError('needs_database', 'indexes needs DATABASE_URL: it does not work through an API.');
      const limits = { bloatBytes: given.over! * 1024 * 1024 };
      if (given.rebuild === true) {
        const { rebuildIndexes } = await import('./rebuild-indexes.js');
        return eachDatabase(parts, (url) => rebuildIndexes(parts, url, { ...given, limits }));
      }
      const [{ listIndexes }, { showIndexes }] = await Promise.all([
        import('./index-verbs.js'),
        import('./show-indexes.js'),
      ]);
      await eachClient(parts, async (db, shard) => {
        const indexes = await listIndexes(db, limits);
        if (indexes.some(({ state }) => state !== 'good' && state !== 'in_work')) exitWith(FINDING);
        if (given.json) return write(`${JSON.stringify({ ...(shard === null ? {} : { shard }), indexes }, null, 2)}\n`);
        if (shard !== null) write(`Shard ${shard}:\n`);
        write(showIndexes(indexes, look));
      });
    });
}
