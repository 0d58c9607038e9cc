import type { Explanation } from '@duework/operate';
import type { Command } from 'commander';
import { cleanText } from '../output/clean-text.js';
import type { CommandParts } from '../program-parts.js';
import { showJob } from './show-job.js';
import { showSteps } from './show-steps.js';

/** `duework show`, `explain`, `retry` and `cancel` */
export function addJobVerbs(program: Command, { operations, look, write }: CommandParts): void {
  program
    .command('show')
    .description('One job, its steps and failed attempts, and why it is in its state')
    .argument('<id>', 'the id of a job')
    .option('--json', 'as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const found = await (await operations()).getJob(id);
      const steps = await (await operations()).readSteps(found.job);
      if (json) return write(`${JSON.stringify({ ...found, ...steps }, null, 2)}\n`);
      const why = found.job.finishedAt === null ? await (await operations()).explainJob(id) : null;
      write(showJob(found.job, found.attempts, { why, parent: steps.parent }, look) + showSteps(steps, look));
    });
  program
    .command('explain')
    .description('Where a job is, and why: one sentence, and what else would keep it from running')
    .argument('<id>', 'the id of a job')
    .option('--json', 'as JSON, with a stable code and its facts')
    .action(async (id: string, { json }: { json?: true }) => {
      const explanation = await (await operations()).explainJob(id);
      write(json ? `${JSON.stringify(explanation, null, 2)}\n` : showExplanation(explanation));
    });
  program
    .command('retry')
    .description('Runs a job now: a waiting one becomes due, a dead or cancelled one comes back')
    .argument('<id>', 'the id of a job')
    .option('--effects-happened', 'you have checked that its unknown effects did happen')
    .option('--from-step <name>', 'of a durable handler: takes this step again, and what was done after it')
    .option('--reason <text>', 'why, for the audit')
    .action(async (id: string, given: { effectsHappened?: true; fromStep?: string; reason?: string }) => {
      const { effectsHappened, fromStep, reason } = given;
      await (await operations()).retryJob(id, { effectsHappened: effectsHappened === true, fromStep, reason });
      write(`Job ${id} runs again${fromStep === undefined ? '' : `, from ${fromStep}`}.\n`);
    });
  program
    .command('cancel')
    .description('Cancels a waiting job, or asks the worker of a running one to')
    .argument('<id>', 'the id of a job')
    .option('--reason <text>', 'why, for those who look at it later')
    .action(async (id: string, { reason }: { reason?: string }) => {
      const answer = await (await operations()).cancelJob(id, reason);
      write(
        answer === 'cancelled' ? `Job ${id} is cancelled.\n` : `Job ${id} runs; its worker was asked to cancel it.\n`,
      );
    });
}

const showExplanation = ({ sentence, further }: Explanation): string =>
  [sentence, ...further.map((reason) => `Then: ${reason.sentence}`)].map((line) => `${cleanText(line)}\n`).join('');
