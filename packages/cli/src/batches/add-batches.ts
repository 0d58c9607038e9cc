import type { Batch } from '@duework/queue-core';
import type { Command } from 'commander';
import { formatFacts } from '../output/format-facts.js';
import { formatMoment } from '../output/format-moment.js';
import { formatTable } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';

const COLUMNS = ['ID', 'NAME', 'JOBS', 'OPEN', 'SUCCEEDED', 'DEAD', 'CANCELLED', 'BEGAN', 'SETTLED'];

/** `duework batches` */
export function addBatches(program: Command, { operations, look, write }: CommandParts): void {
  const batches = program.command('batches').description('Jobs that belong together');
  batches
    .command('list', { isDefault: true })
    .description('The batches, newest first')
    .option('--limit <count>', 'how many', wholeNumber, 20)
    .option('--cursor <cursor>', 'from there on')
    .option('--json', 'as JSON')
    .action(async ({ json, ...page }: { limit: number; cursor?: string; json?: true }) => {
      const found = await (await operations()).batches.list(page);
      if (json) return write(`${JSON.stringify(found, null, 2)}\n`);
      write(formatTable(COLUMNS, found.batches.map(toRow), 'There is no batch.', look));
      if (found.nextCursor !== null) write(`… and more: --cursor '${found.nextCursor}'\n`);
    });
  batches
    .command('show')
    .description('One batch: how many of its jobs have ended, and what was enqueued for that')
    .argument('<id>', 'of the batch')
    .option('--json', 'as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const batch = await (await operations()).batches.get(id);
      if (json) return write(`${JSON.stringify(batch, null, 2)}\n`);
      write(formatFacts(toFacts(batch), look));
      write(`Its jobs: duework jobs batch:${batch.id}\n`);
    });
  batches
    .command('cancel')
    .description('Cancels the jobs of a batch that wait, and asks the workers of those that run')
    .argument('<id>', 'of the batch')
    .option('--reason <text>', 'why, for the audit')
    .action(async (id: string, { reason }: { reason?: string }) => {
      const { cancelled, requested } = await (await operations()).batches.cancel(id, reason);
      write(`${cancelled} jobs are cancelled; the workers of ${requested} were asked to stop.\n`);
    });
}

const toRow = (batch: Batch): string[] => [
  batch.id,
  batch.name ?? '',
  ...[batch.jobs, batch.open, batch.succeeded, batch.dead, batch.cancelled].map(String),
  formatMoment(batch.createdAt),
  batch.settledAt === null ? '' : formatMoment(batch.settledAt),
];

function toFacts({ callbacks, ...batch }: Batch): (readonly [string, string | null])[] {
  return [
    ['batch', batch.id],
    ['name', batch.name],
    ['jobs', `${batch.jobs}, ${batch.open} open`],
    ['ended', `${batch.succeeded} succeeded, ${batch.dead} dead, ${batch.cancelled} cancelled`],
    ['began', formatMoment(batch.createdAt)],
    ['settled', batch.settledAt === null ? null : formatMoment(batch.settledAt)],
    ...Object.entries(callbacks).map(([moment, job]) => [moment, job === null ? null : `job ${job}`] as const),
  ];
}
