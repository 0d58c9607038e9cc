/** `duework/testing`: for tests of handlers and producers. It needs no database and no test runner. */
export {
  createFakeClock,
  createMemoryQueue,
  drain,
  recordEvents,
  silentLog,
  startTestWorker,
  waitForJob,
  type DrainCounts,
  type DrainOptions,
  type EventRecord,
  type FakeClock,
  type MemoryQueue,
  type MemoryQueueOptions,
} from '@duework/testing';
