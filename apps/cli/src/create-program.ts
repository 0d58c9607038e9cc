import type { Duration } from '@duework/contracts';
import { catalog } from '@duework/shop';
import type { PrismaClient } from '@duework/database';
import {
  deleteSchedule,
  findSchedules,
  findSlots,
  formatLocal,
  pauseSchedule,
  previewSavedSchedule,
  previewSchedule,
  resumeSchedule,
  tickSchedules,
  triggerSchedule,
  type DstMark,
  type RuleInput,
  type Schedule,
  type SchedulePreview,
  type Slot,
} from '@duework/schedules';
import { readNow } from '@duework/queue-core';
import { Command, InvalidArgumentError, Option } from 'commander';
import { addContracts } from './contracts/add-contracts.js';
import { formatLate, formatTable } from './format-table.js';
import { parseMoment } from './parse-moment.js';

export interface ProgramParts {
  /** Connects when a command first needs it: a preview needs no database. */
  readonly db: () => Promise<PrismaClient>;
  readonly write: (text: string) => void;
  /** Tells people who wait how far a command is. */
  readonly progress: (text: string) => void;
  /** The zone in which times are shown unless `--zone` names another. */
  readonly timeZone: string;
  /** The process's clock, for previews without a database. */
  readonly now: () => Date;
}

const DST_WORDS: Readonly<Record<DstMark, string>> = {
  moved: 'clock set forward: its time does not exist, runs right after',
  runs_once: 'clock set back: its time comes twice, runs the first time',
  repeated: 'clock set back: runs again, it follows real hours',
};

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > 1_000)
    throw new InvalidArgumentError('It is a whole number from 1 to 1000.');
  return Number(text);
}

/** The command line; the caller prints the errors that a command throws. */
export function createProgram(parts: ProgramParts): Command {
  const program = new Command('duework')
    .description('Schedules and their slots, and contracts. The database is that of DATABASE_URL.')
    .configureOutput({ writeOut: parts.write })
    .showHelpAfterError('(see --help)');
  addSchedules(program, parts);
  addSlots(program, parts);
  addPreview(program, parts);
  addVerbs(program, parts);
  addContracts(program, { ...parts, catalog: async () => catalog });
  return program;
}

function addSchedules(program: Command, { db, write, timeZone }: ProgramParts): void {
  program
    .command('schedules')
    .description('What is scheduled, and what comes next')
    .option('--type <type>', 'of one job type only')
    .option('--zone <zone>', 'show times in this zone', timeZone)
    .option('--limit <n>', 'at most so many', wholeNumber, 100)
    .option('--json', 'as JSON')
    .action(async ({ type, zone, limit, json }: { type?: string; zone: string; limit: number; json?: true }) => {
      const page = await findSchedules(await db(), { type, limit });
      if (json) return write(`${JSON.stringify(page, null, 2)}\n`);
      write(
        formatTable(
          ['KEY', 'TYPE', 'RULE', 'NEXT', 'STATE'],
          page.schedules.map((schedule) => toRow(schedule, zone)),
          'There are no schedules.',
        ),
      );
      if (page.nextCursor !== null) write(`… and more; --limit shows up to 1000.\n`);
    });
}

function toRow({ key, type, words, nextDueAt, isPaused, source }: Schedule, zone: string): string[] {
  return [
    key,
    type,
    words,
    nextDueAt === null ? 'never' : formatLocal(nextDueAt.getTime(), zone),
    `${isPaused ? 'paused' : 'active'}, ${source}`,
  ];
}

function addSlots(program: Command, { db, write, timeZone }: ProgramParts): void {
  program
    .command('slots')
    .description('"Did it run last night?" What became of the slots of a schedule, or of all')
    .argument('[key]', 'the key of a schedule, which may be deleted by now')
    .option('--since <moment>', 'yesterday, today, 24h, 2026-01-14, or a time with a zone', 'yesterday')
    .option('--until <moment>', 'the same; not included')
    .addOption(new Option('--outcome <outcome>', 'only these').choices(['fired', 'skipped', 'waiting']))
    .option('--zone <zone>', 'where yesterday began, and what times are shown in', timeZone)
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

function addPreview(program: Command, { db, write, now }: ProgramParts): void {
  program
    .command('preview')
    .description('What a rule means, and its next slots; a rule needs no database')
    .argument('[cron]', 'five fields in quotes, or @daily')
    .option('--schedule <key>', 'a saved schedule instead, with its policies')
    .option('--every <duration>', 'an interval instead: 15m')
    .option('--at <time>', 'one moment instead: 2026-01-14T02:00:00Z')
    .option('--zone <zone>', 'the zone of the rule', 'UTC')
    .option('--from <moment>', 'slots after this; now unless given')
    .option('--count <n>', 'so many slots', wholeNumber, 5)
    .action(
      async (
        cron: string | undefined,
        given: { schedule?: string; every?: string; at?: string; zone: string; from?: string; count: number },
      ) => {
        const { schedule, every, at, zone, from, count } = given;
        if (schedule !== undefined) {
          const saved = await previewSavedSchedule(await db(), schedule, count);
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

function formatPreview({ slots }: SchedulePreview): string {
  const rows = slots.map(({ local, slotAt, dst }) => [
    local,
    slotAt.toISOString().replace('.000Z', 'Z'),
    dst === null ? '' : DST_WORDS[dst],
  ]);
  return formatTable(['SLOT', 'UTC', ''], rows, '');
}

function addVerbs(program: Command, { db, write }: ProgramParts): void {
  const verb = (name: string, description: string, act: (db: PrismaClient, key: string) => Promise<string>): void => {
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
    'Runs it once, now, beside its slots',
    async (client, key) => `${key} runs as job ${(await triggerSchedule(client, catalog, key)).id}.`,
  );
  verb('delete', 'It is gone; its ledger stays', async (client, key) => {
    await deleteSchedule(client, key);
    return `${key} is deleted.`;
  });
  program
    .command('tick')
    .description('Makes runs of what is due now; any number of them may do so at once')
    .action(async () => {
      const { fired, skipped, waiting } = await tickSchedules({ db: await db(), catalog, worker: 'cli' });
      write(`${fired} fired, ${skipped} skipped, ${waiting} waiting.\n`);
    });
}
