import { DueworkError } from '@duework/queue-core';
import { checkMoment } from './check-moment.js';
import { describeRule } from './rules/describe-rule.js';
import { markDueTime, nextDueTimes, type DstMark } from './rules/next-due-times.js';
import { parseRule, type RuleInput } from './rules/rule.js';
import { splayOffset } from './rules/splay.js';
import { ZoneCalendar } from './rules/zone-calendar.js';

export interface PreviewedDueTime {
  readonly dueAt: Date;
  /** The same instant in the rule's zone, with its offset: `2026-03-29T03:00:00+02:00`. */
  readonly local: string;
  readonly firesAt: Date;
  readonly dst: DstMark | null;
}

export interface SchedulePreview {
  /** The rule in plain words. */
  readonly words: string;
  readonly timeZone: string;
  readonly dueTimes: readonly PreviewedDueTime[];
}

const MAX_COUNT = 1_000;

/**
 * The next `count` (1 to 1,000; default 5) due times of a rule after `after`; `key` and `splayMs` say when they are
 * due. Throws as saving the rule does.
 */
export function previewSchedule(
  input: RuleInput,
  options: { after: Date; count?: number; key?: string; splayMs?: number },
): SchedulePreview {
  const { after, count = 5, key = '', splayMs = 0 } = options;
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT) {
    throw new DueworkError('invalid_option', {
      option: 'count',
      expected: `a whole number from 1 to ${MAX_COUNT}`,
      value: count,
    });
  }
  checkMoment('after', after);
  const rule = parseRule(input);
  const offsetMs = splayOffset(key, splayMs);
  const dueTimes = nextDueTimes(rule, after.getTime(), count).map((dueMs) => ({
    dueAt: new Date(dueMs),
    local: formatLocal(dueMs, rule.timeZone),
    firesAt: new Date(dueMs + offsetMs),
    dst: markDueTime(rule, dueMs),
  }));
  if (dueTimes.length === 0)
    throw new DueworkError('rule_never_fires', {
      reason: `${describeRule(rule)} has no due time after ${after.toISOString()}`,
    });
  return { words: describeRule(rule), timeZone: rule.timeZone, dueTimes };
}

/** ISO 8601 with the offset that the zone has then. */
export function formatLocal(ms: number, timeZone: string): string {
  const offsetMs = ZoneCalendar.of(timeZone).offsetAt(ms);
  const minutes = Math.abs(offsetMs) / 60_000;
  const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${new Date(ms + offsetMs).toISOString().slice(0, 19)}${offsetMs < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`;
}
