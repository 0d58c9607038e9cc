import type { BulkVerb } from '@duework/operate';
import { Option, type Command } from 'commander';
import { addFilter } from '../jobs/add-filter.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';
import { addBulkVerbs } from './add-bulk-verbs.js';
import type { ChangeOptions } from './read-change.js';
import { runBulkAction } from './run-bulk-action.js';

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
A preview comes first: how many jobs, some of them, and what would be refused and why. On a terminal it then asks;
elsewhere it needs --yes. The action goes on in the background, in the API, in workers, and in this command while it
shows the progress. Ctrl-C leaves it running (exit code 130).`;

/** `duework bulk` */
export function addBulk(program: Command, parts: CommandParts): void {
  const bulk = program
    .command('bulk')
    .description('Acts on all jobs that fit a filter: previewed, in the background, with progress, abort and undo')
    .addHelpText('after', NOTES);
  const verb = (name: string, what: BulkVerb, description: string, options: readonly Option[] = []): void => {
    const { command, readFilter } = addFilter(bulk.command(name).description(description), '<filter...>');
    for (const option of options) command.addOption(option);
    command
      .option('--reason <text>', 'why, for the audit')
      .option('--at-most <n>', 'refuse to begin when more jobs fit', count)
      .option('--per-second <n>', 'how many jobs a second at most; 5,000 unless given', count)
      .option('--dry-run', 'the preview, and nothing else')
      .option('--yes', 'do not ask')
      .option('--no-wait', 'begin it, and do not wait for its end')
      .option('--json', 'as JSON')
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
  verb('retry', 'retry', 'Runs dead jobs again; also cancelled ones, where the filter says so', [
    new Option('--effects-happened <answer>', 'of unknown effects: you have checked whether they did').choices([
      'yes',
      'no',
    ]),
    new Option('--priority <n>', 'their new priority: with 9 they run behind whatever else is due'),
  ]);
  verb('cancel', 'cancel', 'Cancels waiting jobs, and asks the workers of running ones to');
  verb('reschedule', 'reschedule', 'Gives waiting jobs another moment', [
    new Option('--at <time>', '2026-01-14T02:00:00Z'),
    new Option('--delay <duration>', 'so long from now: 15m'),
    new Option('--spread <duration>', 'spreads them evenly over this long behind that moment'),
  ]);
  verb('change-priority', 'change_priority', 'Gives waiting jobs another priority', [
    new Option('--to <n>', '0 (first) to 9 (last)').makeOptionMandatory(),
  ]);
  verb('change-queue', 'change_queue', 'Puts waiting jobs into another queue', [
    new Option('--to <queue>', 'its name').makeOptionMandatory(),
  ]);
  verb('edit-payload', 'edit_payload', 'Edits a field of the payloads of one type; their contract checks each', [
    new Option('--field <path>', 'address.zip').makeOptionMandatory(),
    new Option('--value <json>', 'its new value'),
    new Option('--remove', 'remove the field'),
  ]);
  verb('free-key', 'free_key', 'Frees the idempotency keys of dead and cancelled jobs');
  verb('delete', 'delete', 'Deletes dead or cancelled jobs, which the filter has to say; it cannot be undone');
  addBulkVerbs(bulk, parts);
}

/** Beyond a table's thousand: there may be millions of jobs. */
function count(text: string): number {
  return /^[1-9]\d{3,8}$/.test(text) ? Number(text) : wholeNumber(text);
}
