import type { Command } from 'commander';
import { PRINTED } from '../option-words.js';
import type { CommandParts } from '../program-parts.js';

/** `duework workflows` */
export function addWorkflows(program: Command, { operations, look, write }: CommandParts): void {
  program
    .command('workflows')
    .description('Show at which steps durable jobs wait and run, how many, since when, and which steps are slow')
    .option('--type <type>', 'only of this job type')
    .option(...PRINTED)
    .action(async ({ type, json }: { type?: string; json?: true }) => {
      const workflows = await (await operations()).readWorkflows(type);
      if (json) return write(`${JSON.stringify(workflows, null, 2)}\n`);
      const { showWorkflows } = await import('../shown.js');
      write(showWorkflows(workflows, look));
    });
}
