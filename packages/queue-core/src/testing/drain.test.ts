import { defineCatalog, defineJob, exponential, fixed } from '@duework/contracts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Worker } from '../create-worker.js';
import { createMemoryQueue } from '../store/create-memory-queue.js';
import { createFakeClock } from './create-fake-clock.js';
import { drain } from './drain.js';
import { startTestWorker } from './start-test-worker.js';

const payload = z.object({ n: z.int() });
const patient = defineJob({ type: 'patient', payload, retry: fixed('2h'), maxAttempts: 3 });
const stubborn = defineJob({ type: 'stubborn', payload, retry: exponential({ base: '10s', cap: '1h' }), maxAttempts: 30 });
const catalog = defineCatalog([patient, stubborn]);

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

describe('the fake clock', () => {
  test('a worker on the in-memory store runs a day of retries in a blink', async () => {
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock });
    const { worker, events } = await startTestWorker<typeof catalog>(queue, { catalog, clock, handlers: { patient: () => {}, stubborn: () => Promise.reject(new Error('still not')) } });
    workers.push(worker);
    for (let n = 0; n < 100; n++) await queue.enqueue(stubborn, { n });
    const t = performance.now();
    const counts = await drain(queue, { events, clock, untilEmpty: true });
    expect(counts).toMatchObject({ failed: 2_900, dead: 100 });
    console.log(performance.now() - t, clock.now());
  });
});
