/** What reads rules and due times, apart: with it come the parsers of cron. */
export { formatLocal, previewSchedule, tickSchedules } from '@duework/schedules';
