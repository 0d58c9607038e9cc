import type { Schedule } from '@duework/schedules';
import type { Command } from 'commander';
import { formatRows } from '../output/format-rows.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';
import { PRINTED, LIMIT } from '../option-words.js';

/** `duework schedules list` */
export function addList(schedules: Command, { operations, write }: CommandParts): void {
  schedules
    .command('list', { isDefault: true })
    .description('List the schedules, and when each runs next')
    .option('--type <type>', 'only of this job type')
    .option('--zone <zone>', 'show times in this zone (default: that of each schedule)')
    .option(...LIMIT, wholeNumber, 100)
    .option(...PRINTED)
    .action(async ({ type, zone, limit, json }: { type?: string; zone?: string; limit: number; json?: true }) => {
      const page = await (await operations()).findSchedules({ type, limit });
      const { formatLocal } = await import('./schedule-verbs.js');
      if (json) return write(`${JSON.stringify(page, null, 2)}\n`);
      write(
        formatRows(
          ['KEY', 'TYPE', 'RULE', 'NEXT', 'STATE'],
          page.schedules,
          (schedule) => toRow(schedule, (moment) => formatLocal(moment, zone ?? schedule.timeZone)),
          'There are no schedules.',
        ),
      );
      if (page.nextCursor !== null) write(`… and more; --limit shows up to 1000.\n`);
    });
}

function toRow(
  { key, type, words, nextFiresAt, isPaused, source }: Schedule,
  format: (ms: number) => string,
): string[] {
  return [
    key,
    type,
    words,
    nextFiresAt === null ? 'never' : format(nextFiresAt.getTime()),
    `${isPaused ? 'paused' : 'active'}, ${source}`,
  ];
}
