import type { Schedule } from '@duework/schedules';
import { Option, type Command } from 'commander';
import { formatRows } from '../output/format-rows.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';

/** `duework schedules` */
export function addList(program: Command, { operations, write, timeZone }: CommandParts): void {
  program
    .command('schedules')
    .description('What is scheduled, and what comes next')
    .option('--type <type>', 'of one job type only')
    .addOption(new Option('--zone <zone>', 'show times in this zone').default(timeZone, 'that of this machine'))
    .option('--limit <n>', 'at most so many', wholeNumber, 100)
    .option('--json', 'as JSON')
    .action(async ({ type, zone, limit, json }: { type?: string; zone: string; limit: number; json?: true }) => {
      const page = await (await operations()).findSchedules({ type, limit });
      const { formatLocal } = await import('./schedule-verbs.js');
      if (json) return write(`${JSON.stringify(page, null, 2)}\n`);
      write(
        formatRows(
          ['KEY', 'TYPE', 'RULE', 'NEXT', 'STATE'],
          page.schedules,
          (schedule) => toRow(schedule, (moment) => formatLocal(moment, zone)),
          'There are no schedules.',
        ),
      );
      if (page.nextCursor !== null) write(`… and more; --limit shows up to 1000.\n`);
    });
}

function toRow({ key, type, words, nextDueAt, isPaused, source }: Schedule, format: (ms: number) => string): string[] {
  return [
    key,
    type,
    words,
    nextDueAt === null ? 'never' : format(nextDueAt.getTime()),
    `${isPaused ? 'paused' : 'active'}, ${source}`,
  ];
}
