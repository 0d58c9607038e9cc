import type { Command } from 'commander';
import { PRINTED, REASON } from '../option-words.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';

interface Change {
  readonly slots?: number;
  readonly takeBack?: true;
  readonly preview?: true;
  readonly unknown?: true;
  readonly reason?: string;
}

/** `duework workers` */
export function addWorkers(program: Command, { operations, look, write }: CommandParts): void {
  const workers = program
    .command('workers')
    .description('List the running workers, and change how many jobs they run at once');
  workers
    .command('list', { isDefault: true })
    .description('List the running workers: where they are, their version and types, how busy they are, what each runs')
    .option('--all', 'show every running job of each')
    .option(...PRINTED)
    .action(async ({ all, json }: { all?: true; json?: true }) => {
      const found = await (await operations()).readWorkers();
      if (json) return write(`${JSON.stringify(found, null, 2)}\n`);
      const { showWorkers } = await import('../shown.js');
      write(showWorkers(found, all === true, look));
    });
  workers
    .command('change')
    .description('Change how many jobs each worker of a queue runs at once, until you take it back')
    .argument('<queue>', 'the name of a queue')
    .option('--slots <count>', 'how many, 1 to 1000', wholeNumber)
    .option('--take-back', 'return to what the programs declare')
    .option('--preview', 'say what it would do, and change nothing')
    .option('--unknown', 'also if no running worker reads that queue')
    .option(...REASON)
    .action(async (queue: string, given: Change) => {
      const { changeSlots } = await import('../shown.js');
      write(await changeSlots(await operations(), queue, given));
    });
}
