import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { eachClient } from '../shards/each-client.js';
import { REASON } from '../option-words.js';

/** `duework schedules trigger`, `delete` and `tick` */
export function addVerbs(schedules: Command, parts: CommandParts): void {
  const { jobs, operations, now, timeZone, write } = parts;
  const verb = (
    name: string,
    description: string,
    act: (key: string, reason: string | undefined) => Promise<string>,
  ): void => {
    schedules
      .command(name)
      .description(description)
      .argument('<key>', 'the key of a schedule')
      .option(...REASON)
      .action(async (key: string, { reason }: { reason?: string }) => write(`${await act(key, reason)}\n`));
  };
  schedules
    .command('trigger')
    .description('Run a schedule once, now, or a due time that was skipped; needs your jobs module, or an API')
    .argument('<key>', 'the key of a schedule')
    .option('--due-time <time>', 'run this skipped due time, with its payload and key: 2026-01-14T02:00:00Z')
    .option(...REASON)
    .action(async (key: string, given: { dueTime?: string; reason?: string }) => {
      const { parseMoment } = await import('./parse-moment.js');
      const dueTime = given.dueTime === undefined ? undefined : parseMoment(given.dueTime, now().getTime(), timeZone);
      const { ids, deduplicated } = await (await operations()).triggerSchedule(key, { dueTime, reason: given.reason });
      const jobs = ids.join(' and ');
      write(deduplicated ? `That due time's key has a job already: ${jobs}.\n` : `${key} runs as job ${jobs}.\n`);
    });
  verb('delete', 'Delete a schedule; the record of its due times stays', async (key, reason) => {
    await (await operations()).deleteSchedule(key, reason);
    return `${key} is deleted.`;
  });
  schedules
    .command('tick')
    .description('Enqueue what is due now, as a worker does; needs your jobs module')
    .action(async () => {
      const { tickSchedules } = await import('./schedule-verbs.js');
      const { catalog } = await jobs();
      await eachClient(parts, async (db, shard) => {
        const { fired, skipped, waiting } = await tickSchedules({ db, catalog, worker: 'cli' });
        const counts = `${fired} fired, ${skipped} skipped, ${waiting} waiting.`;
        write(shard === null ? `${counts}\n` : `Shard ${shard}: ${counts}\n`);
      });
    });
}
