import { tickSchedules, triggerSchedule } from '@duework/schedules';
import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';

/** `duework pause`, `resume`, `trigger`, `delete` and `tick` */
export function addVerbs(program: Command, { db, jobs, operations, write }: CommandParts): void {
  const verb = (name: string, description: string, act: (key: string) => Promise<string>): void => {
    program
      .command(name)
      .description(description)
      .argument('<key>', 'the key of a schedule')
      .action(async (key: string) => write(`${await act(key)}\n`));
  };
  verb('pause', 'It fires no more until it is resumed', async (key) => {
    await operations().pauseSchedule(key);
    return `${key} is paused.`;
  });
  verb('resume', 'It goes on; what it missed follows its policy', async (key) => {
    const nextSlotAt = await operations().resumeSchedule(key);
    return `${key} goes on; its next slot is ${nextSlotAt?.toISOString() ?? 'none'}.`;
  });
  verb(
    'trigger',
    'Runs it once, now, beside its slots; needs the module of jobs',
    async (key) => `${key} runs as job ${(await triggerSchedule(await db(), (await jobs()).catalog, key)).id}.`,
  );
  verb('delete', 'It is gone; its ledger stays', async (key) => {
    await operations().deleteSchedule(key);
    return `${key} is deleted.`;
  });
  program
    .command('tick')
    .description('Makes runs of what is due now; any number of them may do so at once; needs the module of jobs')
    .action(async () => {
      const { catalog } = await jobs();
      const { fired, skipped, waiting } = await tickSchedules({ db: await db(), catalog, worker: 'cli' });
      write(`${fired} fired, ${skipped} skipped, ${waiting} waiting.\n`);
    });
}
