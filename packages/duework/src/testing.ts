/** `duework/testing`: for a team's own tests, in any test runner, with a database or without one. */
export {
  createFakeClock,
  createMemoryQueue,
  waitForJob,
  type FakeClock,
  type LookedAt,
  type MemoryQueue,
  type MemoryQueueOptions,
} from '@duework/testing';
export {
  assertEnqueued,
  drain,
  performJob,
  refuteEnqueued,
  type AssertEnqueuedOptions,
  type DrainCounts,
  type DrainJobsOptions,
  type ExpectedJob,
  type PartialPayload,
  type PerformedBy,
  type PerformedJob,
  type PerformJobOptions,
  type RefuteEnqueuedOptions,
} from '@duework/testing/kit';
