import { cleanupNightly } from '@duework/shop';
import { scheduleRequest, due } from '@duework/schedules';

/** Raised whenever the list changes, so that an older program that starts again cannot undo the change. */
export const SCHEDULES_VERSION = 1;

/**
 * The schedules of this program, written to the database when it starts; users have schedules of their own beside them.
 */
export const schedules = [
  scheduleRequest(cleanupNightly, {
    key: 'cleanup_nightly',
    cron: '0 2 * * *',
    timeZone: 'UTC',
    payload: { day: due.date({ addDays: -1 }) },
    missed: 'latest',
    overlap: 'skip',
  }),
];
