import { cancelJob, findJobs, getJob, retryJob, STATUSES, type Job, type JobStatus } from '@duework/queue-core';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { formatTable } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { hideSensitive } from './hide-sensitive.js';
import { showJob } from './show-job.js';

interface Listing {
  readonly status?: JobStatus;
  readonly type?: string;
  readonly queue?: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly json?: true;
}

/** `duework jobs list`, `get`, `retry` and `cancel` */
export function addJobs(program: Command, parts: CommandParts): void {
  const jobs = program.command('jobs').description('Looks at jobs, retries and cancels them');
  addList(jobs, parts);
  addGet(jobs, parts);
  addVerbs(jobs, parts);
}

function addList(jobs: Command, { db, write }: CommandParts): void {
  jobs
    .command('list')
    .description('Jobs, newest first')
    .addOption(new Option('--status <status>', 'only these').choices(STATUSES))
    .option('--type <type>', 'of one job type only')
    .option('--queue <queue>', 'of one queue only')
    .option('--limit <n>', 'at most so many', pageSize, 50)
    .option('--cursor <cursor>', 'the page behind the one that ended with this')
    .option('--json', 'as JSON')
    .action(async ({ json, ...listing }: Listing) => {
      const database = await db();
      const page = await findJobs(database, listing);
      if (json)
        return write(`${JSON.stringify({ ...page, jobs: await hideSensitive(database, page.jobs) }, null, 2)}\n`);
      const rows = page.jobs.map(toRow);
      write(formatTable(['JOB', 'TYPE', 'STATUS', 'ATTEMPTS', 'DUE', 'ERROR'], rows, 'There are no such jobs here.'));
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

function addGet(jobs: Command, { db, write }: CommandParts): void {
  jobs
    .command('get')
    .description('One job with its attempts that failed')
    .argument('<id>', 'the id of a job')
    .option('--json', 'as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const database = await db();
      const found = await getJob(database, id);
      const [job] = await hideSensitive(database, [found.job]);
      write(json ? `${JSON.stringify({ ...found, job }, null, 2)}\n` : showJob(job!, found.attempts));
    });
}

function addVerbs(jobs: Command, { db, write }: CommandParts): void {
  jobs
    .command('retry')
    .description('Runs a job now: a waiting one becomes due, a dead or cancelled one comes back')
    .argument('<id>', 'the id of a job')
    .option('--effects-happened', 'you have checked that its unknown effects did happen')
    .action(async (id: string, { effectsHappened }: { effectsHappened?: true }) => {
      await retryJob(await db(), id, { effectsHappened: effectsHappened === true });
      write(`Job ${id} runs again.\n`);
    });
  jobs
    .command('cancel')
    .description('Cancels a waiting job, or asks the worker of a running one to')
    .argument('<id>', 'the id of a job')
    .option('--reason <text>', 'why, for those who look at it later')
    .action(async (id: string, { reason }: { reason?: string }) => {
      const answer = await cancelJob(await db(), id, { by: 'cli', ...(reason === undefined ? {} : { reason }) });
      write(
        answer === 'cancelled' ? `Job ${id} is cancelled.\n` : `Job ${id} runs; its worker was asked to cancel it.\n`,
      );
    });
}

function pageSize(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > 200)
    throw new InvalidArgumentError('It is a whole number from 1 to 200.');
  return Number(text);
}
