import type { Schedule, SchedulePause, DueTime } from '@duework/schedules';
import { Option, type Command } from 'commander';
import type { OfShard } from '../operations/of-shard.js';
import type { Operations } from '../operations/operations.js';
import { cleanText } from '../output/clean-text.js';
import { formatLate } from '../output/format-late.js';
import { formatTable } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';
import { PRINTED, LIMIT } from '../option-words.js';

/** `duework schedules due-times` */
export function addDueTimes(schedules: Command, { operations, write, now, timeZone }: CommandParts): void {
  schedules
    .command('due-times')
    .description('Show whether schedules ran: each due time, and what became of it')
    .argument('[key]', 'the key of a schedule, also of a deleted one (default: all)')
    .option('--since <moment>', 'from then on: yesterday, today, 24h, 2026-01-14, or a time with a zone', 'yesterday')
    .option('--until <moment>', 'before then')
    .addOption(
      new Option('--outcome <outcome>', 'only due times of this outcome').choices(['fired', 'skipped', 'waiting']),
    )
    .option('--zone <zone>', 'read and show times in this zone (default: that of the schedule, or of this machine)')
    .option(...LIMIT, wholeNumber, 100)
    .option(...PRINTED)
    .action(
      async (
        scheduleKey: string | undefined,
        given: {
          since: string;
          until?: string;
          outcome?: DueTime['outcome'];
          zone?: string;
          limit: number;
          json?: true;
        },
      ) => {
        const queue = await operations();
        const [{ formatLocal }, { parseMoment }] = await Promise.all([
          import('./schedule-verbs.js'),
          import('./parse-moment.js'),
        ]);
        const schedule = scheduleKey === undefined ? null : await findSchedule(queue, scheduleKey);
        const zone = given.zone ?? schedule?.timeZone ?? timeZone;
        const format = (moment: Date): string => formatLocal(moment.getTime(), zone);
        const [from, to] = [given.since, given.until].map((text) =>
          text === undefined ? undefined : parseMoment(text, now().getTime(), zone),
        );
        const { outcome, limit } = given;
        const { dueTimes, nextCursor } = await queue.findDueTimes({ scheduleKey, from, to, outcome, limit });
        const isOverShards = dueTimes.some(({ shard }) => shard !== undefined);
        // a cursor is that of one database
        const page = { dueTimes, ...(isOverShards ? { hasMore: nextCursor !== null } : { nextCursor }) };
        if (given.json) return write(`${JSON.stringify(page, null, 2)}\n`);
        write(show(dueTimes, format, `No due times since ${format(from!)}.`));
        if (nextCursor !== null) write(`… and older ones; --limit shows up to 1000.\n`);
        if (schedule !== null && schedule.pause !== null)
          write(`${describeWhile(schedule.key, schedule.pause, format)}\n`);
      },
    );
}

/** null: there is none any more. */
async function findSchedule(queue: Operations, key: string): Promise<Schedule | null> {
  try {
    return await queue.getSchedule(key);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'schedule_not_found') return null;
    throw error;
  }
}

/** That it is paused, and what becomes of the due times that come meanwhile. */
const describeWhile = (key: string, pause: SchedulePause, format: (moment: Date) => string): string =>
  cleanText(
    `${key} is paused since ${format(pause.since)}${describePause(pause)}. The due times that come meanwhile are decided about when it goes on.`,
  );

/** ` by key:ops: the provider is down` */
const describePause = ({ by, reason }: { readonly by: string | null; readonly reason: string | null }): string =>
  `${by === null ? '' : ` by ${by}`}${reason === null ? '' : `: ${reason}`}`;

/** To the millisecond where it has some: `trigger --due-time` takes the exact moment. */
function formatDueTime(moment: Date, format: (moment: Date) => string): string {
  const ms = moment.getUTCMilliseconds();
  return ms === 0 ? format(moment) : format(moment).replace(/T[\d:]{8}/, `$&.${String(ms).padStart(3, '0')}`);
}

function show(dueTimes: readonly OfShard<DueTime>[], format: (moment: Date) => string, none: string): string {
  const isOverShards = dueTimes.some(({ shard }) => shard !== undefined);
  const rows = dueTimes.map((dueTime) => [
    ...(isOverShards ? [dueTime.shard!] : []),
    formatDueTime(dueTime.dueAt, format),
    dueTime.scheduleKey,
    dueTime.outcome,
    `${dueTime.reason ?? ''}${dueTime.pause === null ? '' : `, paused${describePause(dueTime.pause)}`}`,
    dueTime.runId ?? '',
    dueTime.runStatus ?? '',
    formatLate(dueTime.lateMs),
  ]);
  const columns = ['DUE', 'SCHEDULE', 'OUTCOME', 'WHY', 'JOB', 'CAME TO', 'LATE'];
  return formatTable(isOverShards ? ['SHARD', ...columns] : columns, rows, none);
}
