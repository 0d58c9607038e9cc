import type { Job } from '@duework/queue-core';
import { InvalidArgumentError, type Command } from 'commander';
import { formatTable } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';

interface Listing {
  readonly limit: number;
  readonly cursor?: string;
  readonly json?: true;
}

/** `duework jobs` */
export function addJobs(program: Command, { operations, write }: CommandParts): void {
  program
    .command('jobs')
    .description('Jobs, newest first')
    .argument('[filter...]', 'which ones: status:dead type:send_invoice since:2h "words of an error"')
    .option('--limit <n>', 'at most so many', pageSize, 50)
    .option('--cursor <cursor>', 'the page behind the one that ended with this')
    .option('--json', 'as JSON')
    .action(async (filter: readonly string[], { json, ...listing }: Listing) => {
      const page = await operations().findJobs({ filter: filter.join(' '), ...listing });
      if (json) return write(`${JSON.stringify(page, null, 2)}\n`);
      const rows = page.jobs.map(toRow);
      write(formatTable(['JOB', 'TYPE', 'STATUS', 'ATTEMPTS', 'DUE', 'ERROR'], rows, 'There are no such jobs.'));
      if (page.hint !== null) write(`${page.hint}\n`);
      if (page.nextCursor !== null) write(`… and more: --cursor ${page.nextCursor}\n`);
    });
}

const toRow = ({ id, type, status, attempts, maxAttempts, runAt, errorCode }: Job): string[] => [
  id,
  type,
  status,
  `${attempts}/${maxAttempts}`,
  runAt.toISOString(),
  errorCode ?? '',
];

function pageSize(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > 200)
    throw new InvalidArgumentError('It is a whole number from 1 to 200.');
  return Number(text);
}
