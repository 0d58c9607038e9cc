/** What reads rules and slots, apart: with it come the parsers of cron. */
export { findSlots, formatLocal, previewSavedSchedule, previewSchedule, tickSchedules } from '@duework/schedules';
