import type { Explanation } from '@duework/operate';
import type { Command } from 'commander';
import { cleanText } from '../output/clean-text.js';
import type { CommandParts } from '../program-parts.js';
import { effectsOptions } from './effects-options.js';
import { showJob } from './show-job.js';
import { showSteps } from './show-steps.js';

/** `duework show`, `explain`, `retry` and `cancel` */
export function addJobVerbs(program: Command, { operations, look, write }: CommandParts): void {
  program
    .command('show')
    .description('Show a job, its steps, its failed attempts, and why it is in its state')
    .argument('<id>', 'the id of a job')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const found = await (await operations()).getJob(id);
      const steps = await (await operations()).readSteps(found.job);
      if (json) return write(`${JSON.stringify({ ...found, ...steps }, null, 2)}\n`);
      const why = found.job.finishedAt === null ? await (await operations()).explainJob(id) : null;
      write(showJob(found.job, found.attempts, { why, parent: steps.parent }, look) + showSteps(steps, look));
    });
  program
    .command('explain')
    .description('Explain why a job is where it is, and what else keeps it from running')
    .argument('<id>', 'the id of a job')
    .option('--json', 'print JSON, with a stable code and its facts')
    .action(async (id: string, { json }: { json?: true }) => {
      const explanation = await (await operations()).explainJob(id);
      write(json ? `${JSON.stringify(explanation, null, 2)}\n` : showExplanation(explanation));
    });
  const retry = program
    .command('retry')
    .description('Run a job now: make a waiting one due, or bring a dead or cancelled one back')
    .argument('<id>', 'the id of a job');
  for (const option of effectsOptions()) retry.addOption(option);
  retry
    .option('--from-step <name>', 'repeat this step of a durable handler, and all that was done after it')
    .option('--reason <text>', 'the reason, for the audit')
    .action(async (id: string, given: { effectsHappened?: boolean; fromStep?: string; reason?: string }) => {
      const { effectsHappened, fromStep, reason } = given;
      await (await operations()).retryJob(id, { effectsHappened: effectsHappened === true, fromStep, reason });
      write(`Job ${id} runs again${fromStep === undefined ? '' : `, from ${fromStep}`}.\n`);
    });
  program
    .command('cancel')
    .description('Cancel a waiting job, or ask the worker of a running one to cancel it')
    .argument('<id>', 'the id of a job')
    .option('--reason <text>', 'the reason, for the audit')
    .action(async (id: string, { reason }: { reason?: string }) => {
      const answer = await (await operations()).cancelJob(id, reason);
      write(
        answer === 'cancelled' ? `Job ${id} is cancelled.\n` : `Job ${id} runs; its worker was asked to cancel it.\n`,
      );
    });
}

const showExplanation = ({ sentence, further }: Explanation): string =>
  [sentence, ...further.map((reason) => `Then: ${reason.sentence}`)].map((line) => `${cleanText(line)}\n`).join('');
