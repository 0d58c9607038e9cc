import { parseDuration, type Duration } from '@duework/contracts';
import { DueworkError } from '@duework/queue-core';
import { isMoment } from '@duework/sql';
import { showValue } from '@duework/sql/errors';
import { parseCron, type CronPattern } from './cron-pattern.js';
import { ZoneCalendar } from './zone-calendar.js';

/** When something is due, as people write it: exactly one of `cron`, `every` and `at`. */
export type RuleInput = RuleKind & {
  /**
   * An IANA zone such as `Europe/Berlin`; `UTC` unless given. It says which local times `cron` means and which dates
   * due times have.
   */
  readonly timeZone?: string;
  /** No due time before this moment. Intervals are counted from it, and from 1970 without it. */
  readonly startsAt?: Date;
  /** No due time at or after this moment. */
  readonly endsAt?: Date;
};

export type RuleKind =
  /** Five fields, six with seconds before them, or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. */
  | { readonly cron: string; readonly every?: never; readonly at?: never }
  /** At least `'1s'`, at most ten years. */
  | { readonly every: Duration; readonly cron?: never; readonly at?: never }
  /** One moment; the rule fires once. */
  | { readonly at: Date; readonly cron?: never; readonly every?: never };

/** A rule that was parsed; all moments in milliseconds since 1970. */
export interface Rule {
  readonly kind:
    | { readonly name: 'cron'; readonly pattern: CronPattern }
    | { readonly name: 'every'; readonly ms: number }
    | { readonly name: 'at'; readonly ms: number };
  readonly timeZone: string;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
}

export const MIN_INTERVAL_MS = 1_000;

/**
 * Throws `invalid_rule` (none or several of the three, an end before the start, an interval under a second, a moment
 * that is not one), `invalid_cron`, `unknown_time_zone`.
 */
export function parseRule(input: RuleInput): Rule {
  const { timeZone = 'UTC', startsAt, endsAt } = input;
  ZoneCalendar.of(timeZone);
  const startsAtMs = startsAt === undefined ? null : toMs('startsAt', startsAt);
  const endsAtMs = endsAt === undefined ? null : toMs('endsAt', endsAt);
  if (startsAtMs !== null && endsAtMs !== null && endsAtMs <= startsAtMs)
    throw refuse('endsAt', 'after startsAt', endsAt?.toISOString());
  return { kind: parseKind(input), timeZone, startsAtMs, endsAtMs };
}

function parseKind({ cron, every, at }: RuleKind): Rule['kind'] {
  const given = Object.entries({ cron, every, at }).filter(([, value]) => value !== undefined);
  if (given.length !== 1)
    throw refuse(
      'rule',
      'exactly one of cron, every and at',
      given.length === 0 ? 'none' : given.map(([name]) => name).join(' and '),
    );
  if (cron !== undefined) return { name: 'cron', pattern: parseCron(cron) };
  if (at !== undefined) return { name: 'at', ms: toMs('at', at) };
  return { name: 'every', ms: toIntervalMs(every!) };
}

function toIntervalMs(every: Duration): number {
  let ms = Number.NaN;
  try {
    ms = parseDuration(every);
  } catch {
    // refused below, with the error of a rule
  }
  if (!(ms >= MIN_INTERVAL_MS))
    throw refuse('every', 'a duration from "1s" to "3650d", such as "15m"', JSON.stringify(showValue(every)));
  return ms;
}

function toMs(part: string, date: Date): number {
  if (!isMoment(date)) throw refuse(part, 'a moment between the years 1970 and 9999', showValue(date));
  return date.getTime();
}

function refuse(part: string, expected: string, value: string | undefined): DueworkError {
  return new DueworkError('invalid_rule', { part, expected, value: value ?? 'none' });
}
