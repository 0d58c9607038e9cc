import { cleanupNightly } from '@duework/shop';
import { scheduleRequest, slot } from '@duework/schedules';

/** Raised whenever the list changes, so that an older program that starts again takes nothing back. */
export const SCHEDULES_VERSION = 1;

/** What this program wants by the clock, written to the database when it starts; users have schedules of their own beside it. */
export const schedules = [
  scheduleRequest(cleanupNightly, {
    key: 'cleanup_nightly',
    cron: '0 2 * * *',
    timeZone: 'UTC',
    payload: { day: slot.date({ addDays: -1 }) },
    missed: 'latest',
    overlap: 'skip',
  }),
];
