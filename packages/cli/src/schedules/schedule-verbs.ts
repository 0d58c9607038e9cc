/** What reads rules and slots, apart: with it come the parsers of cron. */
export { formatLocal, previewSchedule, tickSchedules } from '@duework/schedules';
