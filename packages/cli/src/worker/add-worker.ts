import type { Command } from 'commander';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { writeLines } from './write-lines.js';
import { startWorker } from './start-worker.js';

interface Given {
  readonly once?: true;
  readonly maxRuntime?: string;
  readonly lines?: true;
}

/** `duework worker` */
export function addWorker(
  program: Command,
  { jobs, runningDatabaseUrl, shard, write, exitWith, now }: CommandParts,
): void {
  program
    .command('worker')
    .description('Run the jobs of your jobs module until it is told to stop')
    .argument('[module]', 'the module with your jobs; like --jobs')
    .option('--once', 'run what is due now, and exit')
    .option('--max-runtime <duration>', 'with --once: claim no more jobs after this long (default: 50s)')
    .option('--lines', 'print a readable line for each job instead of JSON')
    .addHelpText(
      'after',
      `
The module exports catalog and handlers, and optionally schedules, schedulesVersion, middleware and backoffs.
Settings are variables: CONCURRENCY, QUEUES, WORKER_PORT and others. SIGTERM drains.

Exit codes: 0 stopped as asked; 1 could not start, or stopped because of a fault; 2 the environment is wrong;
143 and 130 cut short by a second signal; with --once 3 time was over, 4 a job died.`,
    )
    .action(async (module: string | undefined, { once, maxRuntime, lines }: Given) => {
      if (maxRuntime !== undefined && once === undefined)
        throw new PlainError('option_wrong', '--max-runtime goes with --once.');
      const { stopWithParent } = await import('./stop-with-parent.js');
      const code = await startWorker(await jobs(module), {
        ...(once === undefined ? {} : { once: maxRuntime === undefined ? true : { maxRuntime } }),
        ...(lines === undefined ? {} : writeLines(write, now)),
        databaseUrl: runningDatabaseUrl(),
        shard: shard(),
        signal: stopWithParent(),
      });
      exitWith(code);
    });
}
