import { previewSchedule } from '@duework/schedules';

const MINUTE_MS = 60_000;

/** The slots of a cron rule within a minute before this moment, which a system may not have fired yet, and the minute behind it. */
export function slotsAbout(cron: string, timeZone: string, nowMs: number): readonly Date[] {
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  return [minuteMs - MINUTE_MS, minuteMs, minuteMs + MINUTE_MS].flatMap((slotMs) => {
    const [slot] = previewSchedule({ cron, timeZone }, { after: new Date(slotMs - 1), count: 1 }).slots;
    return slot?.slotAt.getTime() === slotMs && slotMs > nowMs - MINUTE_MS ? [slot.slotAt] : [];
  });
}
