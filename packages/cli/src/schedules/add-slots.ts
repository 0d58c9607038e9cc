import { findSlots, formatLocal, type Slot } from '@duework/schedules';
import { readNow } from '@duework/queue-core';
import { Option, type Command } from 'commander';
import { formatLate } from '../output/format-late.js';
import { formatTable } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';
import { parseMoment } from './parse-moment.js';

/** `duework slots` */
export function addSlots(program: Command, { db, write, timeZone }: CommandParts): void {
  program
    .command('slots')
    .description('"Did it run last night?" What became of the slots of a schedule, or of all')
    .argument('[key]', 'the key of a schedule, which may be deleted by now')
    .option('--since <moment>', 'yesterday, today, 24h, 2026-01-14, or a time with a zone', 'yesterday')
    .option('--until <moment>', 'the same; not included')
    .addOption(new Option('--outcome <outcome>', 'only these').choices(['fired', 'skipped', 'waiting']))
    .addOption(
      new Option('--zone <zone>', 'where yesterday began, and what times are shown in').default(
        timeZone,
        'that of this machine',
      ),
    )
    .option('--limit <n>', 'at most so many', wholeNumber, 100)
    .option('--json', 'as JSON')
    .action(
      async (
        scheduleKey: string | undefined,
        given: { since: string; until?: string; outcome?: Slot['outcome']; zone: string; limit: number; json?: true },
      ) => {
        const client = await db();
        const nowMs = await readNow(client);
        const [from, to] = [given.since, given.until].map((text) =>
          text === undefined ? undefined : parseMoment(text, nowMs, given.zone),
        );
        const page = await findSlots(client, { scheduleKey, from, to, outcome: given.outcome, limit: given.limit });
        if (given.json) return write(`${JSON.stringify(page, null, 2)}\n`);
        const rows = page.slots.map((slot) => [
          formatLocal(slot.slotAt.getTime(), given.zone),
          slot.scheduleKey,
          slot.outcome,
          slot.reason ?? '',
          slot.runId ?? '',
          slot.runStatus ?? '',
          formatLate(slot.lateMs),
        ]);
        write(
          formatTable(
            ['SLOT', 'SCHEDULE', 'OUTCOME', 'WHY', 'JOB', 'CAME TO', 'LATE'],
            rows,
            `No slots since ${formatLocal(from!.getTime(), given.zone)}.`,
          ),
        );
        if (page.nextCursor !== null) write(`… and older ones; --limit shows up to 1000.\n`);
      },
    );
}
