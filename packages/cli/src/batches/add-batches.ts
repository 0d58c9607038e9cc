import type { Batch } from '@duework/queue-core';
import type { Command } from 'commander';
import { formatFacts } from '../output/format-facts.js';
import { formatMoment } from '../output/format-moment.js';
import { formatTable } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';
import { CURSOR, LIMIT, PRINTED, REASON } from '../option-words.js';

const COLUMNS = ['ID', 'NAME', 'JOBS', 'OPEN', 'SUCCEEDED', 'DEAD', 'CANCELLED', 'BEGAN', 'SETTLED'];

/** `duework batches` */
export function addBatches(program: Command, { operations, look, write }: CommandParts): void {
  const batches = program.command('batches').description('Show and cancel jobs that belong together');
  batches
    .command('list', { isDefault: true })
    .description('List the batches, newest first')
    .option(...LIMIT, wholeNumber, 20)
    .option(...CURSOR)
    .option(...PRINTED)
    .action(async ({ json, ...page }: { limit: number; cursor?: string; json?: true }) => {
      const found = await (await operations()).batches.list(page);
      if (json) return write(`${JSON.stringify(found, null, 2)}\n`);
      write(formatTable(COLUMNS, found.batches.map(toRow), 'There are no batches.', look));
      if (found.nextCursor !== null) write(`… and more: --cursor '${found.nextCursor}'\n`);
    });
  batches
    .command('show')
    .description('Show one batch: how many of its jobs have ended, and the job that was enqueued then')
    .argument('<id>', 'the id of a batch')
    .option(...PRINTED)
    .action(async (id: string, { json }: { json?: true }) => {
      const batch = await (await operations()).batches.get(id);
      if (json) return write(`${JSON.stringify(batch, null, 2)}\n`);
      write(formatFacts(toFacts(batch), look));
      write(`Its jobs: npx duework jobs batch:${batch.id}\n`);
    });
  batches
    .command('cancel')
    .description('Cancel the waiting jobs of a batch, and ask workers to cancel its running ones')
    .argument('<id>', 'the id of a batch')
    .option(...REASON)
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
