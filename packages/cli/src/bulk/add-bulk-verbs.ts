import { FILTER_STATUSES } from '@duework/filter';
import type { BulkAction } from '@duework/operate';
import type { Command } from 'commander';
import type { Operations } from '../operations/operations.js';
import { formatCount } from '../output/format-count.js';
import { formatMoment } from '../output/format-moment.js';
import { formatTable } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';
import { followBulkAction } from './run-bulk-action.js';
import { showBulkAction, showProgress } from './show-bulk-action.js';
import { PRINTED, LIMIT, REASON } from '../option-words.js';

const ID = ['<id>', 'the id of a bulk action'] as const;

/** `duework bulk list`, `show`, `abort` and `undo` */
export function addBulkVerbs(bulk: Command, parts: CommandParts): void {
  const { operations, look, write } = parts;
  const print = (action: BulkAction, json: true | undefined): void =>
    write(json ? `${JSON.stringify(action, null, 2)}\n` : showBulkAction(action, look));
  bulk
    .command('list')
    .description('List bulk actions, newest first')
    .option(...LIMIT, wholeNumber, 20)
    .option(...PRINTED)
    .action(async ({ limit, json }: { limit: number; json?: true }) => {
      const actions = await (await operations()).bulk.list(limit);
      if (json) return write(`${JSON.stringify(actions, null, 2)}\n`);
      const head = ['ID', 'VERB', 'STATUS', 'PROGRESS', 'BEGUN', 'BY', 'FILTER'];
      write(formatTable(head, actions.map(toRow), 'Nothing was done to many jobs.', look));
    });
  bulk
    .command('show')
    .description('Show a bulk action and its progress')
    .argument(...ID)
    .option('--watch', 'follow it until it has ended')
    .option(...PRINTED)
    .action(async (id: string, { watch, json }: { watch?: true; json?: true }) => {
      if (watch) return followBulkAction(parts, id, { isWatched: true, isJson: json === true });
      const all = await operations();
      const action = await all.bulk.get(id);
      if (json) return print(action, json);
      write(showBulkAction(action, look, await readOutcome(all, action)));
    });
  bulk
    .command('abort')
    .description('Stop a bulk action; what it has changed stays, and can be undone')
    .argument(...ID)
    .option(...REASON)
    .option(...PRINTED)
    .action(async (id: string, { reason, json }: { reason?: string; json?: true }) =>
      print(await (await operations()).bulk.abort(id, reason), json),
    );
  bulk
    .command('undo')
    .description('Undo a bulk action within an hour, for jobs that nothing else has changed since')
    .argument(...ID)
    .option(...REASON)
    .option('--no-wait', 'start it, and do not wait until it ends')
    .option(...PRINTED)
    .action(async (id: string, { reason, wait, json }: { reason?: string; wait: boolean; json?: true }) => {
      const undo = await (await operations()).bulk.undo(id, reason);
      await followBulkAction(parts, undo.id, { isWatched: wait, isJson: json === true });
    });
}

/** `45 succeeded, 2 dead: duework jobs bulk:17`; null: it has changed nothing, or has left nothing. */
async function readOutcome({ countJobs }: Operations, { id, verb, done }: BulkAction): Promise<string | null> {
  if (done === 0 || verb === 'delete') return null;
  // one over several databases has an id of each, as `joinIds` joins them: to load that here would cost each command 4 kB
  const filter = `bulk:${id.replaceAll('~', ',')}`;
  const counts: string[] = [];
  for (const status of FILTER_STATUSES) {
    const counted = await countJobs(`${filter} status:${status}`);
    if (counted.count > 0) counts.push(`${formatCount(counted)} ${status}`);
  }
  return `${counts.join(', ') || 'no longer kept'}: npx duework jobs ${filter}`;
}

const toRow = (action: BulkAction): string[] => [
  action.id,
  action.undoOf === null ? action.verb : `undo of ${action.undoOf}`,
  action.status,
  showProgress(action),
  formatMoment(action.createdAt),
  action.by,
  action.filter,
];
