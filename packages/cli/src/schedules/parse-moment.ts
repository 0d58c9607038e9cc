import { parseDuration, type Duration } from '@duework/contracts';
import { previewSchedule } from '@duework/schedules';
import { MomentError } from './moment-error.js';

const HOUR_MS = 3_600_000;

/**
 * A moment as people write it: `yesterday`, `today`, `2026-01-14` (when that day begins in the zone), `24h` (so long ago), or
 * ISO 8601 with a zone. Throws `MomentError`, and `ContractError` for a duration that is too long.
 */
export function parseMoment(text: string, nowMs: number, timeZone: string): Date {
  if (text === 'today' || text === 'yesterday') {
    const days = daysFrom(nowMs - 74 * HOUR_MS, timeZone).filter((day) => day.getTime() <= nowMs);
    return days.at(text === 'today' ? -1 : -2)!;
  }
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const utcMs = Date.parse(`${text}T00:00:00Z`);
    const day = Number.isNaN(utcMs)
      ? undefined
      : daysFrom(utcMs - 26 * HOUR_MS, timeZone).find(
          (candidate) => candidate.toLocaleDateString('en-CA', { timeZone }) === text,
        );
    if (day !== undefined) return day;
  }
  if (/^\d+(\.\d+)?(ms|s|m|h|d)$/.test(text)) return new Date(nowMs - parseDuration(text as Duration));
  const ms = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw new MomentError(
      `${JSON.stringify(text)} is not a time. Write yesterday, today, 24h, 2026-01-14, or 2026-01-14T02:00:00Z.`,
    );
  return new Date(ms);
}

function daysFrom(afterMs: number, timeZone: string): Date[] {
  return previewSchedule({ cron: '0 0 * * *', timeZone }, { after: new Date(afterMs), count: 4 }).dueTimes.map(
    ({ dueAt }) => dueAt,
  );
}
