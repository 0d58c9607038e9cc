/** For tests of programs that run a worker: `@duework/worker/testing`. */
export { createFact, type Fact } from './create-fact.js';
export { startFixture } from './start-fixture.js';
export { killWorkers, startWorkerProcess, type WorkerProcess } from './start-worker-process.js';
export { until } from './until.js';
