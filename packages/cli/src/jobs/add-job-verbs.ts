import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { showJob } from './show-job.js';

/** `duework show`, `retry` and `cancel` */
export function addJobVerbs(program: Command, { operations, write }: CommandParts): void {
  program
    .command('show')
    .description('One job with its attempts that failed')
    .argument('<id>', 'the id of a job')
    .option('--json', 'as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const found = await operations().getJob(id);
      write(json ? `${JSON.stringify(found, null, 2)}\n` : showJob(found.job, found.attempts));
    });
  program
    .command('retry')
    .description('Runs a job now: a waiting one becomes due, a dead or cancelled one comes back')
    .argument('<id>', 'the id of a job')
    .option('--effects-happened', 'you have checked that its unknown effects did happen')
    .action(async (id: string, { effectsHappened }: { effectsHappened?: true }) => {
      await operations().retryJob(id, { effectsHappened: effectsHappened === true });
      write(`Job ${id} runs again.\n`);
    });
  program
    .command('cancel')
    .description('Cancels a waiting job, or asks the worker of a running one to')
    .argument('<id>', 'the id of a job')
    .option('--reason <text>', 'why, for those who look at it later')
    .action(async (id: string, { reason }: { reason?: string }) => {
      const answer = await operations().cancelJob(id, reason);
      write(
        answer === 'cancelled' ? `Job ${id} is cancelled.\n` : `Job ${id} runs; its worker was asked to cancel it.\n`,
      );
    });
}
