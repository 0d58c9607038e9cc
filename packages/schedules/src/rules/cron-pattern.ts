import { Cron } from 'croner';
import { DueworkError } from '@duework/queue-core';

const NICKNAMES = new Map(
  Object.entries({
    '@yearly': '0 0 1 1 *',
    '@annually': '0 0 1 1 *',
    '@monthly': '0 0 1 * *',
    '@weekly': '0 0 * * 0',
    '@daily': '0 0 * * *',
    '@midnight': '0 0 * * *',
    '@hourly': '0 * * * *',
  }),
);

/**
 * A cron rule as a pattern of local times; it knows no zone. The library parses and searches, always at an offset of 0,
 * where no local time is missing or doubled.
 */
export interface CronPattern {
  /** Five fields, or six with seconds before them, one space between them. */
  readonly text: string;
  /** Its hour field allows every hour: the rule follows the hours that pass, not those a clock shows. */
  readonly isHourly: boolean;
  /** The rule runs both times when a local time occurs twice: it is hourly, or every few minutes. */
  readonly isRepeated: boolean;
  /** The first matching local time after `localMs`, as if it were UTC; null: the pattern has none any more. */
  nextLocal(localMs: number): number | null;
}

/** Patterns are parsed once, because many schedules share one. */
const known = new Map<string, CronPattern>();
const MAX_KNOWN = 2_000;

/** Throws `invalid_cron` for anything but five fields, six with seconds before them, or a nickname. */
export function parseCron(given: string): CronPattern {
  if (typeof given !== 'string') throw new DueworkError('invalid_cron', { cron: given, reason: 'it is not a text' });
  const pattern = known.get(given) ?? readPattern(given);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(given, pattern);
  return pattern;
}

function readPattern(given: string): CronPattern {
  const text = (NICKNAMES.get(given.trim().toLowerCase()) ?? given).trim().split(/\s+/).join(' ');
  const refuse = (reason: string, cause?: unknown): DueworkError =>
    new DueworkError('invalid_cron', { cron: given, reason }, cause === undefined ? {} : { cause });
  if (text === '') throw refuse('it is empty');
  if (text.startsWith('@')) throw refuse(`it is none of ${[...NICKNAMES.keys()].join(', ')}`);
  const fields = text.split(' ');
  if (fields.length !== 5 && fields.length !== 6)
    throw refuse(
      `it has ${fields.length} fields; there are five: minute, hour, day of month, month, day of week, and perhaps seconds before them`,
    );
  const [minute, hour] = fields.slice(-5) as [string, string];
  // the library also reads "?" as a star and "+" as "and", which no other cron does
  if (text.length > 200 || !/^[0-9A-Za-z*,/#\- ]+$/.test(text))
    throw refuse('it contains a character that cron does not have');
  const cron = read(text, refuse);
  const isHourly = allowsEveryHour(hour);
  return {
    text,
    isHourly,
    isRepeated: isHourly || minute.startsWith('*'),
    nextLocal: (localMs) => cron.nextRun(new Date(localMs))?.getTime() ?? null,
  };
}

function read(text: string, refuse: (reason: string, cause: unknown) => DueworkError): Cron {
  try {
    const mode = hasSeconds(text) ? '6-part' : '5-part';
    return new Cron(text, { mode, utcOffset: 0, paused: true, domAndDow: haveDaysToFitBoth(text) });
  } catch (cause) {
    throw refuse(cause instanceof Error ? tellReason(cause.message) : String(cause), cause);
  }
}

/** Whether seconds stand before the five fields. */
const hasSeconds = (text: string): boolean => text.split(' ').length === 6;

/** The fields of the days: of the month and of the week. */
export function daysOf(text: string): readonly [day: string, weekday: string] {
  const [day, , weekday] = text.split(' ').slice(-3) as [string, string, string];
  return [day, weekday];
}

/**
 * Whether a day has to be both the day of the month and the day of the week: where one of the fields begins with a star,
 * also one with a step, as in crontab(5). Otherwise either suffices.
 */
export function haveDaysToFitBoth(text: string): boolean {
  return daysOf(text).some((field) => field.startsWith('*'));
}

const FIELDS: Readonly<Record<string, readonly [name: string, from: number, to: number, counted: number]>> = {
  second: ['second', 0, 59, 0],
  minute: ['minute', 0, 59, 0],
  hour: ['hour', 0, 23, 0],
  day: ['day of a month', 1, 31, 1],
  month: ['month', 1, 12, 1],
  dayOfWeek: ['day of the week', 0, 7, 0],
};

/** The library counts days and months from 0, and names the number that it has made of the one that was written. */
function tellReason(message: string): string {
  const [, field = '', number] = /Invalid value for (\w+): (-?\d+)$/.exec(message) ?? [];
  const known = FIELDS[field];
  if (known === undefined) return message.replace(/^Cron\w+: /, '');
  const [name, from, to, counted] = known;
  return `${Number(number) + counted} is no ${name}, which goes from ${from} to ${to}`;
}

function allowsEveryHour(hourField: string): boolean {
  const cron = new Cron(`0 ${hourField} * * *`, { mode: '5-part', utcOffset: 0, paused: true });
  const hours = cron.nextRuns(24, new Date(Date.UTC(2000, 0, 1) - 1));
  return hours.length === 24 && hours[23]!.getTime() === Date.UTC(2000, 0, 1, 23);
}
