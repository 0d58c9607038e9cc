import type { Job } from '@duework/queue-core';
import { InvalidArgumentError, type Command } from 'commander';
import { formatMoment } from '../output/format-moment.js';
import { type Cell, formatTable } from '../output/format-table.js';
import { statusCell } from '../output/status-cell.js';
import type { CommandParts } from '../program-parts.js';
import { addFilter } from './add-filter.js';
import { CURSOR, PRINTED, LIMIT } from '../option-words.js';

interface Listing {
  readonly limit: number;
  readonly cursor?: string;
  readonly count?: true;
  readonly json?: true;
}

/** `duework jobs` */
export function addJobs(program: Command, { operations, look, write }: CommandParts): void {
  const { command, readFilter } = addFilter(
    program.command('jobs').description('List jobs, newest first'),
    '[filter...]',
  );
  command
    .option(...LIMIT, pageSize, 50)
    .option(...CURSOR)
    .option('--count', 'print only their number, up to 10,000')
    .option(...PRINTED)
    .action(async (args: readonly string[], { json, count, ...listing }: Listing) => {
      const filter = readFilter(args);
      if (count) {
        const found = await (await operations()).countJobs(filter);
        const text = found.count.toLocaleString('en-US') + (found.isAtLeast ? '+' : '');
        return write(json ? `${JSON.stringify(found)}\n` : `${text}\n`);
      }
      const page = await (await operations()).findJobs({ filter, ...listing });
      if (json) return write(`${JSON.stringify(page, null, 2)}\n`);
      const head = ['JOB', 'TYPE', 'STATUS', 'ATTEMPTS', 'DUE', 'ERROR'];
      write(formatTable(head, page.jobs.map(toRow), 'No job matches.', look));
      if (page.hint !== null) write(`${page.hint}\n`);
      if (page.nextCursor !== null) write(`… and more: --cursor ${page.nextCursor}\n`);
    });
}

const toRow = ({ id, type, status, attempts, maxAttempts, runAt, errorCode, lastError }: Job): Cell[] => [
  id,
  type,
  statusCell(status),
  `${attempts}/${maxAttempts}`,
  formatMoment(runAt),
  status === 'succeeded' ? '' : `${errorCode ?? ''} ${lastError ?? ''}`.trim(), // its attempts keep it
];

function pageSize(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > 200)
    throw new InvalidArgumentError('It is a whole number from 1 to 200.');
  return Number(text);
}
