import { previewSchedule } from '@duework/schedules';

const MINUTE_MS = 60_000;

/**
 * The due times of a cron rule within a minute before this moment, which a system may not have fired yet, and the
 * minute behind it.
 */
export function dueTimesAbout(cron: string, timeZone: string, nowMs: number): readonly Date[] {
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  return [minuteMs - MINUTE_MS, minuteMs, minuteMs + MINUTE_MS].flatMap((dueMs) => {
    const [dueTime] = previewSchedule({ cron, timeZone }, { after: new Date(dueMs - 1), count: 1 }).dueTimes;
    return dueTime?.dueAt.getTime() === dueMs && dueMs > nowMs - MINUTE_MS ? [dueTime.dueAt] : [];
  });
}
