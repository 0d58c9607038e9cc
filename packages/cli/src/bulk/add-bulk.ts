import type { BulkVerb } from '@duework/operate';
import { Option, type Command } from 'commander';
import { effectsOptions } from '../jobs/effects-options.js';
import { addFilter } from '../jobs/add-filter.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';
import { addBulkVerbs } from './add-bulk-verbs.js';
import type { ChangeOptions } from './read-change.js';
import { runBulkAction } from './run-bulk-action.js';
import { PRINTED, REASON } from '../option-words.js';

interface Given extends ChangeOptions {
  readonly reason?: string;
  readonly perSecond?: number;
  readonly atMost?: number;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly wait: boolean;
  readonly json?: true;
}

const NOTES = `
It shows a preview first: how many jobs match, some of them, and which would be refused and why. On a terminal it then
asks; without one, add --yes. The action runs in the background, in the API, in workers, and in this command while it
shows the progress. Ctrl-C leaves it running (exit code 130).

Examples:
  $ npx duework bulk retry status:dead type:send_invoice since:2h --dry-run
  $ npx duework bulk cancel status:queued type:send_newsletter --reason 'wrong template'
  $ npx duework bulk undo 12`;

/** `duework bulk` */
export function addBulk(program: Command, parts: CommandParts): void {
  const bulk = program
    .command('bulk')
    .description(
      'Change all jobs that match a filter: with a preview, in the background, with progress, abort and undo',
    )
    .addHelpText('after', NOTES);
  const verb = (name: string, what: BulkVerb, description: string, options: readonly Option[] = []): void => {
    const { command, readFilter } = addFilter(bulk.command(name).description(description), '<filter...>');
    for (const option of options) command.addOption(option);
    command
      .option(...REASON)
      .option('--at-most <n>', 'refuse to start if more jobs match', count)
      .option('--per-second <n>', 'change at most this many jobs a second (default: 5,000)', count)
      .option('--dry-run', 'show the preview only')
      .option('--yes', 'start without asking')
      .option('--no-wait', 'start it, and do not wait until it ends')
      .option(...PRINTED)
      .action(async (args: readonly string[], given: Given) => {
        const { reason, perSecond, atMost, dryRun, yes, wait, json, ...options } = given;
        const { readChange } = await import('./read-change.js');
        const request = { ...readChange(what, options, parts.now()), filter: readFilter(args), perSecond, atMost };
        await runBulkAction(parts, request, {
          reason,
          isDryRun: dryRun === true,
          isSure: yes === true,
          isWatched: wait,
          isJson: json === true,
        });
      });
  };
  verb('retry', 'retry', 'Retry dead jobs; cancelled ones too, if the filter names them', [
    ...effectsOptions(),
    new Option('--priority <n>', 'give them this priority: with 9 they run after all other due jobs'),
  ]);
  verb('cancel', 'cancel', 'Cancel waiting jobs, and ask workers to cancel running ones');
  verb('reschedule', 'reschedule', 'Make waiting jobs due at another time', [
    new Option('--at <time>', 'make them due at this time: 2026-01-14T02:00:00Z'),
    new Option('--delay <duration>', 'make them due this long from now: 15m'),
    new Option('--spread <duration>', 'spread them evenly over this long after that time'),
  ]);
  verb('change-priority', 'change_priority', 'Change the priority of waiting jobs', [
    new Option('--to <n>', 'the new priority, 0 (first) to 9 (last)').makeOptionMandatory(),
  ]);
  verb('change-queue', 'change_queue', 'Move waiting jobs to another queue', [
    new Option('--to <queue>', 'the name of the new queue').makeOptionMandatory(),
  ]);
  verb('edit-payload', 'edit_payload', 'Edit a field in the payloads of one type; the contract checks each', [
    new Option('--field <path>', 'the path of the field: address.zip').makeOptionMandatory(),
    new Option('--value <json>', 'the new value'),
    new Option('--remove', 'remove the field'),
  ]);
  verb('free-key', 'free_key', 'Free the idempotency keys of dead and cancelled jobs');
  verb('delete', 'delete', 'Delete dead or cancelled jobs; the filter must name the status, and it cannot be undone');
  addBulkVerbs(bulk, parts);
}

/** Beyond a table's thousand: there may be millions of jobs. */
function count(text: string): number {
  return /^[1-9]\d{3,8}$/.test(text) ? Number(text) : wholeNumber(text);
}
