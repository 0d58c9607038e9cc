/** `@duework/testing`: for tests of handlers, workers and producers. It needs no database and no test runner. */
export { crashAt, type Crash } from './crash-at.js';
export { createFakeClock, type FakeClock } from './create-fake-clock.js';
export { dieAt } from './die-at.js';
export { drain, type DrainCounts, type DrainOptions } from './drain.js';
export { recordEvents, type EventRecord } from './record-events.js';
export { recordStarts } from './record-starts.js';
export { silentLog, startTestWorker } from './start-test-worker.js';
export type { LookedAt, ObservedQueue } from './to-queue.js';
export { waitForJob } from './wait-for-job.js';
export { createMemoryQueue, type MemoryQueue, type MemoryQueueOptions } from './memory/create-memory-queue.js';
export type { WhenFull } from './memory/admission.js';
