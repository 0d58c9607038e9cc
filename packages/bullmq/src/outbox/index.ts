/**
 * `@duework/bullmq/outbox`: jobs of a dedicated queue, enqueued in transactions of a database; and moving a type there and
 * back while all goes on.
 */
export { bringBack, type BringBackOptions, type BroughtBack } from './bring-back.js';
export { bullmqTarget, type BullmqTarget } from './bullmq-target.js';
export { openDedicated, type DedicatedOptions, type DedicatedQueue } from './open-dedicated.js';
export { planBringBack, type PlannedJobs } from './plan-bring-back.js';
export { putBackFailed, type FailedJob } from './put-back-failed.js';
export { Schedulers, type BullmqScheduler } from './schedulers.js';
