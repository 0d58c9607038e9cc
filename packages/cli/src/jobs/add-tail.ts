import type { Command } from 'commander';
import { pause } from '../output/pause.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';
import { addFilter } from './add-filter.js';
import { followJobs } from './follow-jobs.js';
import { showLine } from './show-line.js';

/** `duework tail` */
export function addTail(program: Command, { operations, look, write, onSignal }: CommandParts): void {
  const description = 'Follow the jobs that match a filter: a line for each that comes or changes, until Ctrl-C';
  const { command, readFilter } = addFilter(program.command('tail').description(description), '[filter...]');
  command
    .option('--last <n>', 'begin with this many of the newest', wholeNumber, 10)
    .option('--until-ended', 'stop when all jobs that it has shown have ended')
    .option('--json', 'print a line of JSON for each')
    .action(async (args: readonly string[], options: { last: number; untilEnded?: true; json?: true }) => {
      const leaving = new AbortController();
      onSignal(() => leaving.abort());
      const { findJobs } = await operations();
      const changes = followJobs({ findJobs }, readFilter(args), {
        first: options.last,
        isOver: ({ live }) => leaving.signal.aborted || (options.untilEnded === true && live === 0),
        pause: () => pause(LOOK_MS, leaving.signal),
      });
      for await (const job of changes) write(options.json ? `${JSON.stringify(job)}\n` : showLine(job, look));
    });
}

/** How long a change may go unseen. */
const LOOK_MS = 1_000;
