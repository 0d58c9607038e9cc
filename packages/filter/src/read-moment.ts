import type { Moment } from './filter.js';
import type { ValueToken } from './read-tokens.js';
import { refuse } from './refuse.js';

export const UNITS_MS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

/** A century: what is longer ago is a slip. */
const MAX_AGO_MS = 36_525 * UNITS_MS.d;
const AGO = /^(?:\d{1,12}(?:w|d|h|ms|m|s))+$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)([Zz]|[+-]\d\d:\d\d)?$/;

/** Reads `2h`, `1d12h`, `2026-11-23` or `2026-11-23T09:30+01:00`; what names no zone is in UTC. Throws a `Refusal`. */
export function readMoment(value: ValueToken): Moment {
  const moment = value.isQuoted ? null : (readAgo(value.text) ?? readAt(value.text));
  return (
    moment ??
    refuse(
      'invalid_moment',
      value,
      `${JSON.stringify(value.text)} is not a time.`,
      'Write how long ago (30m, 2h, 7d), a day (2026-11-23) or a time in UTC (2026-11-23T09:30).',
    )
  );
}

function readAgo(text: string): Moment | null {
  if (!AGO.test(text)) return null;
  let agoMs = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[wdhms])/g))
    agoMs += Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  return agoMs <= MAX_AGO_MS ? { agoMs } : null;
}

function readAt(text: string): Moment | null {
  const [, day, time, zone] = DATE_TIME.exec(text) ?? [];
  if (day === undefined && !DATE.test(text)) return null;
  const date = new Date(day === undefined ? `${text}T00:00Z` : `${day}T${time}${zone ?? 'Z'}`);
  // a 31st of February becomes a day of March
  const isDay = new Date(`${text.slice(0, 10)}T00:00Z`);
  if (Number.isNaN(date.getTime()) || Number.isNaN(isDay.getTime())) return null;
  const at = date.toISOString();
  // PostgreSQL has no year 0, and a zone may lead out of four digits
  return isDay.toISOString().startsWith(text.slice(0, 10)) && /^(?!0000)\d{4}-/.test(at) ? { at } : null;
}
