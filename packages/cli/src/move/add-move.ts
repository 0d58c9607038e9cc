import { Option, type Command } from 'commander';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import type { MoveOptions } from './run-move.js';

const NOTES = `
A plan comes first: how many jobs of which name and state, what has no contract, and what its contract refuses. On a terminal
it then asks; elsewhere it needs --yes. Jobs move in transactions of 500, each with its moment, priority, attempts and key,
and what has failed comes dead. What cannot move stays there, and is told. Ctrl-C ends it between two transactions (exit code
130); after that, or after a crash, run it again. The workers of both may run meanwhile.`;

/** `duework move` */
export function addMove(program: Command, parts: CommandParts): void {
  program
    .command('move')
    .description('Moves the jobs of BullMQ, or of another queue in the same database, here; of the latter also back')
    .addHelpText('after', NOTES)
    .addOption(
      new Option('--from <system>', 'what they are in now')
        .choices(['bullmq', 'pg-boss', 'graphile-worker'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--to <place>',
        'the table; or the dedicated queue, to which a worker with REDIS_URL carries what waits',
      )
        .choices(['table', 'dedicated'])
        .default('table'),
    )
    .option('--types <type...>', 'these types of the catalog; else all of them')
    .option('--names <name=type...>', 'the type of what has another name there')
    .option('--schema <schema>', 'the schema of the old queue, where it is not its own default')
    .option('--prefix <prefix>', 'that of BullMQ in the Redis of REDIS_URL; bull unless given')
    .option('--crontab <file>', 'of graphile-worker: hand over what it fires; the file may stay where it is')
    .option('--undo', 'move back what waits, also what was enqueued here since, under the old names')
    .option('--reason <text>', 'why, for the audit')
    .option('--dry-run', 'the plan, and nothing else')
    .option('--yes', 'do not ask')
    .option('--json', 'as JSON')
    .action(async (options: MoveOptions) => {
      if (parts.isOnApi()) throw new PlainError('needs_database', 'move needs DATABASE_URL: an API has no such verb.');
      if (options.from === 'bullmq') return (await import('./move-from-bullmq.js')).moveFromBullmq(parts, options);
      return (await import('./run-move.js')).runMove(parts, options);
    });
}
