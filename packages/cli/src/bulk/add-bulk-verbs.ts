import type { BulkAction } from '@duework/operate';
import type { Command } from 'commander';
import { formatMoment } from '../output/format-moment.js';
import { formatTable } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';
import { followBulkAction } from './run-bulk-action.js';
import { showBulkAction, showProgress } from './show-bulk-action.js';

/** `duework bulk list`, `show`, `abort` and `undo` */
export function addBulkVerbs(bulk: Command, parts: CommandParts): void {
  const { operations, look, write } = parts;
  const print = (action: BulkAction, json: true | undefined): void =>
    write(json ? `${JSON.stringify(action, null, 2)}\n` : showBulkAction(action, look));
  bulk
    .command('list')
    .description('Bulk actions, newest first')
    .option('--limit <n>', 'at most so many', wholeNumber, 20)
    .option('--json', 'as JSON')
    .action(async ({ limit, json }: { limit: number; json?: true }) => {
      const actions = await (await operations()).bulk.list(limit);
      if (json) return write(`${JSON.stringify(actions, null, 2)}\n`);
      const head = ['ID', 'VERB', 'STATUS', 'PROGRESS', 'BEGUN', 'BY', 'FILTER'];
      write(formatTable(head, actions.map(toRow), 'Nothing was done to many jobs.', look));
    });
  bulk
    .command('show')
    .description('One bulk action and its progress')
    .argument('<id>', 'its id')
    .option('--watch', 'stay until it has ended')
    .option('--json', 'as JSON')
    .action(async (id: string, { watch, json }: { watch?: true; json?: true }) => {
      if (watch) return followBulkAction(parts, id, { isWatched: true, isJson: json === true });
      print(await (await operations()).bulk.get(id), json);
    });
  bulk
    .command('abort')
    .description('Ends an action where it is; what it has changed stays, and may be undone')
    .argument('<id>', 'its id')
    .option('--reason <text>', 'why, for the audit')
    .option('--json', 'as JSON')
    .action(async (id: string, { reason, json }: { reason?: string; json?: true }) =>
      print(await (await operations()).bulk.abort(id, reason), json),
    );
  bulk
    .command('undo')
    .description('Changes back, within an hour, what is still as the action left it; an action of its own')
    .argument('<id>', 'its id')
    .option('--reason <text>', 'why, for the audit')
    .option('--no-wait', 'begin it, and do not wait for its end')
    .option('--json', 'as JSON')
    .action(async (id: string, { reason, wait, json }: { reason?: string; wait: boolean; json?: true }) => {
      const undo = await (await operations()).bulk.undo(id, reason);
      await followBulkAction(parts, undo.id, { isWatched: wait, isJson: json === true });
    });
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
