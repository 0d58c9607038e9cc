import type { Duration } from '@duework/contracts';
import type { DstMark, RuleInput, SchedulePreview } from '@duework/schedules';
import type { Command } from 'commander';
import { formatTable } from '../output/format-table.js';
import type { CommandParts } from '../program-parts.js';
import { wholeNumber } from '../whole-number.js';

const DST_WORDS: Readonly<Record<DstMark, string>> = {
  moved: 'clock set forward: its time does not exist, runs right after',
  runs_once: 'clock set back: its time comes twice, runs the first time',
  repeated: 'clock set back: runs again, it follows real hours',
};

/** `duework schedules preview`, and `duework preview` */
export function addPreview(program: Command, { operations, write, now }: CommandParts): void {
  program
    .command('preview')
    .description('Explain a cron expression, or another rule, and show when it runs next; needs no database')
    .argument('[cron]', 'a cron expression in quotes, or @daily')
    .option('--schedule <key>', 'preview this saved schedule instead, with its policies')
    .option('--every <duration>', 'preview an interval instead: 15m')
    .option('--at <time>', 'preview one time instead: 2026-01-14T02:00:00Z')
    .option('--zone <zone>', 'the zone of the rule', 'UTC')
    .option('--from <moment>', 'show due times after this (default: now)')
    .option('--count <n>', 'show this many due times', wholeNumber, 5)
    .action(
      async (
        cron: string | undefined,
        given: { schedule?: string; every?: string; at?: string; zone: string; from?: string; count: number },
      ) => {
        const { schedule, every, at, zone, from, count } = given;
        const [{ previewSchedule }, { parseMoment }] = await Promise.all([
          import('./schedule-verbs.js'),
          import('./parse-moment.js'),
        ]);
        if (schedule !== undefined) {
          const saved = await (await operations()).previewSchedule(schedule, count);
          return write(`${saved.words}\n${saved.policy}\n\n${formatPreview(saved)}`);
        }
        const nowMs = now().getTime();
        const rule = {
          ...(cron === undefined ? {} : { cron }),
          ...(every === undefined ? {} : { every: every as Duration }),
          ...(at === undefined ? {} : { at: new Date(at) }),
          timeZone: zone,
        } as RuleInput;
        const preview = previewSchedule(rule, {
          after: from === undefined ? new Date(nowMs) : parseMoment(from, nowMs, zone),
          count,
        });
        write(`${preview.words}\n\n${formatPreview(preview)}`);
      },
    );
}

function formatPreview({ dueTimes }: SchedulePreview): string {
  const rows = dueTimes.map(({ local, dueAt, dst }) => [
    local,
    dueAt.toISOString().replace('.000Z', 'Z'),
    dst === null ? '' : DST_WORDS[dst],
  ]);
  return formatTable(['DUE', 'UTC', ''], rows, '');
}
