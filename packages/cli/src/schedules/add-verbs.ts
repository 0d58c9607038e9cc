import type { Transactable } from '@duework/queue-core';
import { deleteSchedule, pauseSchedule, resumeSchedule, tickSchedules, triggerSchedule } from '@duework/schedules';
import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';

/** `duework pause`, `resume`, `trigger`, `delete` and `tick` */
export function addVerbs(program: Command, { db, jobs, write }: CommandParts): void {
  const verb = (name: string, description: string, act: (db: Transactable, key: string) => Promise<string>): void => {
    program
      .command(name)
      .description(description)
      .argument('<key>', 'the key of a schedule')
      .action(async (key: string) => write(`${await act(await db(), key)}\n`));
  };
  verb('pause', 'It fires no more until it is resumed', async (client, key) => {
    await pauseSchedule(client, key);
    return `${key} is paused.`;
  });
  verb('resume', 'It goes on; what it missed follows its policy', async (client, key) => {
    const { nextSlotAt } = await resumeSchedule(client, key);
    return `${key} goes on; its next slot is ${nextSlotAt?.toISOString() ?? 'none'}.`;
  });
  verb(
    'trigger',
    'Runs it once, now, beside its slots; needs the module of jobs',
    async (client, key) => `${key} runs as job ${(await triggerSchedule(client, (await jobs()).catalog, key)).id}.`,
  );
  verb('delete', 'It is gone; its ledger stays', async (client, key) => {
    await deleteSchedule(client, key);
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
