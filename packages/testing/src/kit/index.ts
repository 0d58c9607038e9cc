/**
 * `@duework/testing/kit`: what a team tests its jobs with, in any test runner. Handlers without a database
 * (`performJob`), and what was enqueued or is to be run on one, also inside a transaction that the test rolls back.
 */
export { assertEnqueued, type AssertEnqueuedOptions } from './assert-enqueued.js';
export { drain, type DrainJobsOptions } from './drain-jobs.js';
export type { ExpectedJob, PartialPayload } from './expected-job.js';
export { performJob, type PerformedBy, type PerformJobOptions } from './perform-job.js';
export type { PerformedJob } from './performed-job.js';
export { refuteEnqueued, type RefuteEnqueuedOptions } from './refute-enqueued.js';
export type { DrainCounts } from '../drain.js';
