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
  /** Five fields, one space between them. */
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

/** Throws `invalid_cron` for anything but five fields or a nickname. */
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
  if (fields.length !== 5)
    throw refuse(`it has ${fields.length} fields; there are five: minute, hour, day of month, month, day of week`);
  // the library also reads "?" as a star and "+" as "and", which no other cron does
  if (text.length > 200 || !/^[0-9A-Za-z*,/#\- ]+$/.test(text))
    throw refuse('it contains a character that cron does not have');
  const cron = read(text, refuse);
  const isHourly = allowsEveryHour(fields[1]!);
  return {
    text,
    isHourly,
    isRepeated: isHourly || fields[0]!.startsWith('*'),
    nextLocal: (localMs) => cron.nextRun(new Date(localMs))?.getTime() ?? null,
  };
}

function read(text: string, refuse: (reason: string, cause: unknown) => DueworkError): Cron {
  try {
    return new Cron(text, { mode: '5-part', utcOffset: 0, paused: true });
  } catch (cause) {
    throw refuse(cause instanceof Error ? cause.message.replace(/^Cron\w+: /, '') : String(cause), cause);
  }
}

function allowsEveryHour(hourField: string): boolean {
  const cron = new Cron(`0 ${hourField} * * *`, { mode: '5-part', utcOffset: 0, paused: true });
  const hours = cron.nextRuns(24, new Date(Date.UTC(2000, 0, 1) - 1));
  return hours.length === 24 && hours[23]!.getTime() === Date.UTC(2000, 0, 1, 23);
}
