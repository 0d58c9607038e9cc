import type { Command } from 'commander';
import type { CommandParts } from '../program-parts.js';
import { eachClient } from '../shards/each-client.js';

/** `duework trigger`, `delete` and `tick` */
export function addVerbs(program: Command, parts: CommandParts): void {
  const { jobs, operations, write } = parts;
  const verb = (
    name: string,
    description: string,
    act: (key: string, reason: string | undefined) => Promise<string>,
  ): void => {
    program
      .command(name)
      .description(description)
      .argument('<key>', 'the key of a schedule')
      .option('--reason <text>', 'why, for the audit')
      .action(async (key: string, { reason }: { reason?: string }) => write(`${await act(key, reason)}\n`));
  };
  verb(
    'trigger',
    'Runs a schedule once, now, beside its slots; needs the module of jobs, or an API',
    async (key, reason) => {
      const { ids } = await (await operations()).triggerSchedule(key, reason);
      return `${key} runs as job ${ids.join(' and ')}.`;
    },
  );
  verb('delete', 'Deletes a schedule; its ledger stays', async (key, reason) => {
    await (await operations()).deleteSchedule(key, reason);
    return `${key} is deleted.`;
  });
  program
    .command('tick')
    .description('Makes runs of what is due now; any number of them may do so at once; needs the module of jobs')
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
