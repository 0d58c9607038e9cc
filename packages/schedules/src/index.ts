export { checkSavedSchedules } from './check-saved-schedules.js';
export { createTicker } from './tick/create-ticker.js';
export {
  MISSED_POLICIES,
  OVERLAP_POLICIES,
  type MissedPolicy,
  type OverlapPolicy,
} from './due-times/decide-due-times.js';
export type { DstMark } from './rules/next-due-times.js';
export {
  deleteSchedule,
  findLatestDueTimes,
  findSchedules,
  findDueTimes,
  pauseSchedule,
  previewSavedSchedule,
  resumeSchedule,
  type ResumedSchedule,
  triggerSchedule,
  type TriggerOptions,
  type SchedulePage,
  type DueTimePage,
} from './operate-schedules.js';
export { formatLocal, previewSchedule, type PreviewedDueTime, type SchedulePreview } from './preview-schedule.js';
export { registerSchedules, type RegisteredSchedules, type ScheduleList } from './register-schedules.js';
export type { RuleInput } from './rules/rule.js';
export { createSchedule, getSchedule, saveSchedule, saveSchedules } from './save-schedule.js';
export type { Schedule, SchedulePause, DueTime } from './schedule.js';
export { scheduleRequest, type ScheduleOptions, type ScheduleRequest } from './schedule-request.js';
export { due, type DueTemplate, type Templated } from './due-times/due-template.js';
export type { TickOptions } from './tick/tick-options.js';
export { tickSchedules } from './tick/tick-schedules.js';
export { isTimeZone } from './rules/zone-calendar.js';
