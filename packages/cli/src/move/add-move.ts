import { Option, type Command } from 'commander';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import type { MoveOptions } from './run-move.js';
import { PRINTED, REASON } from '../option-words.js';

const NOTES = `
A plan comes first: how many jobs of which name and state, what has no contract, and what its contract refuses. On a terminal
it then asks; elsewhere it needs --yes, and begins without a plan. Jobs move in portions of 500, each with its moment,
priority, attempts and key, and what has failed comes dead. What cannot move stays there, and is told. Ctrl-C ends it between
two transactions (exit code 130); after that, or after a crash, run it again. The workers of both may run meanwhile.
An old queue in a database of its own has no transaction with this one: its jobs are taken out there and noted in a table
duework_moving of its schema, written here, and forgotten there.`;

/** `duework move` */
export function addMove(program: Command, parts: CommandParts): void {
  program
    .command('move')
    .description('Move jobs here from BullMQ, pg-boss or graphile-worker, and back')
    .addHelpText('after', NOTES)
    .addOption(
      new Option('--from <system>', 'the system that they are in now')
        .choices(['bullmq', 'pg-boss', 'graphile-worker'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--to <place>',
        'the table; or the dedicated queue, to which a worker with DUEWORK_REDIS_URL carries what waits',
      )
        .choices(['table', 'dedicated'])
        .default('table'),
    )
    .option('--types <type...>', 'only these types of the catalog (default: all)')
    .option('--names <name=type...>', 'the type of jobs that have another name there')
    .option('--schema <schema>', 'the schema of the old queue, if it is not its default')
    .option('--from-database <url>', 'where pg-boss or graphile-worker is, if not in the database of DATABASE_URL')
    .option('--prefix <prefix>', 'the prefix of BullMQ in the Redis of REDIS_URL (default: bull)')
    .option('--crontab <file>', 'graphile-worker: also take over what this file fires; it may stay where it is')
    .option('--undo', 'move waiting jobs back, also those enqueued here since, under the old names')
    .option(...REASON)
    .option('--dry-run', 'show the plan only')
    .option('--yes', 'start without asking')
    .option(...PRINTED)
    .action(async (options: MoveOptions) => {
      if (parts.isOnApi()) throw new PlainError('needs_database', 'move needs DATABASE_URL: an API has no such verb.');
      if (options.from === 'bullmq') return (await import('./move-from-bullmq.js')).moveFromBullmq(parts, options);
      return (await import('./run-move.js')).runMove(parts, options);
    });
}
