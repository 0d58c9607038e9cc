import { defineCatalog, defineJob, exponential, fixed } from '@duework/contracts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  bury,
  enqueueMany,
  type Handler,
  jobRequest,
  retry,
  snooze,
  type Worker,
  type WorkerOptions,
} from '@duework/queue-core';
import { createMemoryQueue } from './memory/create-memory-queue.js';
import { crashAt } from './crash-at.js';
import { createFakeClock } from './create-fake-clock.js';
import { drain } from './drain.js';
import { useTestDatabase } from './fixtures/use-test-database.js';
import { startTestWorker } from './start-test-worker.js';

const database = useTestDatabase();
const payload = z.object({ n: z.int() });
const patient = defineJob({ type: 'patient', payload, retry: fixed('2h'), maxAttempts: 3, timeout: '1m' });
const stubborn = defineJob({
  type: 'stubborn',
  payload,
  retry: exponential({ base: '10s', cap: '1h' }),
  maxAttempts: 30,
});
const catalog = defineCatalog([patient, stubborn]);

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** A queue in memory whose time is the test's. */
async function start(handler: Handler<typeof patient>, more: Partial<WorkerOptions<typeof catalog>> = {}) {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const { worker, events } = await startTestWorker<typeof catalog>(queue, {
    catalog,
    clock,
    random: () => 0.5,
    handlers: { patient: handler, stubborn: handler as Handler as Handler<typeof stubborn> },
    ...more,
  });
  workers.push(worker);
  return { clock, queue, events };
}

const sinceStart = (clock: { monotonicMs(): number }): number => clock.monotonicMs() / 3_600_000;

describe('a drain on the fake clock', () => {
  test('takes no time for a backoff of two hours', async () => {
    const { clock, queue, events } = await start(({ attempt }) => {
      if (attempt < 3) throw new Error('not yet');
    });
    const { id } = await queue.enqueue(patient, { n: 1 });
    expect(await drain(queue, { events, clock })).toMatchObject({ failed: 1, succeeded: 0 });
    expect(sinceStart(clock)).toBe(0);
    expect(await drain(queue, { events, clock, untilEmpty: true })).toMatchObject({ failed: 1, succeeded: 1 });
    expect(sinceStart(clock)).toBe(4);
    const { job, attempts } = await queue.getJob(id);
    expect(job).toMatchObject({ status: 'succeeded', attempts: 3 });
    expect(attempts[1]!.finishedAt.getTime() - attempts[0]!.finishedAt.getTime()).toBe(7_200_000);
  });

  test('runs a day of retries in an instant on the in-memory store', async () => {
    const { clock, queue, events } = await start(() => Promise.reject(new Error('still not')));
    await queue.enqueueMany(Array.from({ length: 20 }, (_, n) => jobRequest(stubborn, { n })));
    expect(await drain(queue, { events, clock, untilEmpty: true, timeoutMs: 60_000 })).toMatchObject({
      failed: 29 * 20,
      dead: 20,
    });
    expect(sinceStart(clock)).toBeGreaterThan(20);
    expect(queue.size()).toMatchObject({ live: 0, finished: 20 });
  });

  test('times out a handler that waits for its signal', async () => {
    const { clock, queue, events } = await start(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    const { id } = await queue.enqueue(patient, { n: 1 }, { maxAttempts: 1 });
    expect(await drain(queue, { events, clock })).toMatchObject({ dead: 1 });
    expect(clock.monotonicMs()).toBe(60_000);
    expect((await queue.getJob(id)).job).toMatchObject({ status: 'dead', errorCode: 'timeout' });
  });

  test('rescues the runs of a dead worker on the way', async () => {
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock });
    const options = { catalog, handlers: { patient: () => {}, stubborn: () => {} } };
    const crash = crashAt('handler.before', { store: queue.store, clock });
    const { worker: dead } = await startTestWorker<typeof catalog>(queue, { ...options, ...crash.options });
    const { id } = await queue.enqueue(patient, { n: 1 });
    expect(await crash.reached).toMatchObject({ id, attempt: 1 });
    const { worker, events } = await startTestWorker<typeof catalog>(queue, { ...options, clock });
    expect(await drain(queue, { events, clock, untilEmpty: true })).toMatchObject({ succeeded: 1 });
    expect((await queue.getJob(id)).attempts).toMatchObject([{ attempt: 1, outcome: 'lost' }]);
    crash.wake();
    await Promise.all([worker.stop({ deadlineMs: 0 }), dead.stop({ deadlineMs: 0 })]);
  });
});

describe('a drain reports', () => {
  test('how many attempts ended with which result', async () => {
    const { clock, queue, events } = await start(({ payload: { n }, attempt, run }) => {
      if (n === 1) return retry('busy');
      if (n === 2) return run.fence === 1 ? snooze('5m') : bury('gone', 'there is no such thing');
      return attempt === 1 ? Promise.reject(new Error('x')) : undefined;
    });
    await queue.enqueueMany([1, 2, 3].map((n) => jobRequest(patient, { n })));
    expect(await drain(queue, { events, clock, untilEmpty: true })).toEqual({
      succeeded: 1,
      failed: 3,
      dead: 2,
      snoozed: 1,
      cancelled: 0,
      released: 0,
      left: 0,
      lost: 0,
    });
  });

  test('what is left, when it takes too long', async () => {
    const { clock, queue, events } = await start(() => snooze('1m'));
    const { id } = await queue.enqueue(patient, { n: 1 });
    const endless = drain(queue, { events, clock, untilEmpty: true, timeoutMs: 100 });
    await expect(endless).rejects.toThrow(
      /did not end within 100 ms\. So far: \{"succeeded":0,.*"type":"patient".*"scheduled":1/,
    );
    await queue.cancelJob(id);
  });

  test('which handler did not end', async () => {
    let letGo = (): void => {};
    const { queue, events } = await start(() => new Promise<void>((resolve) => (letGo = resolve)));
    const { id } = await queue.enqueue(patient, { n: 1 });
    await expect(drain(queue, { events, timeoutMs: 100 })).rejects.toThrow(
      `Still running here: patient ${id} (attempt 1).`,
    );
    letGo();
    await drain(queue, { events });
  });

  test('also runs that are claimed and end while it queries the queue', async () => {
    const { queue, events } = await start(() => {});
    let isAsked = false;
    const slow = {
      ...queue,
      async queueDepth() {
        if (!isAsked) {
          isAsked = true;
          await queue.enqueue(patient, { n: 1 });
          await events.waitFor('job.succeeded');
        }
        return queue.queueDepth();
      },
    };
    expect(await drain(slow, { events })).toMatchObject({ succeeded: 1 });
  });

  test('which runs no worker takes', async () => {
    const { clock, queue, events } = await start(() => {});
    const foreign = defineJob({ type: 'foreign', payload });
    await queue.enqueue(foreign, { n: 1 });
    await expect(drain(queue, { events, clock, timeoutMs: 100 })).rejects.toThrow(
      /Still running here: nothing\. In the queue: .*"type":"foreign","due":1/,
    );
  });
});

describe('a drain on a database', () => {
  test('makes later runs due now, because a database’s time cannot be moved', async () => {
    const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
      catalog,
      handlers: {
        patient: ({ attempt }) => {
          if (attempt < 3) throw new Error('not yet');
        },
        stubborn: () => {},
      },
    });
    workers.push(worker);
    await enqueueMany(database.db, [jobRequest(patient, { n: 1 }), jobRequest(stubborn, { n: 2 }, { delay: '3h' })]);
    expect(await drain(database.db, { events })).toMatchObject({ failed: 1, succeeded: 0 });
    expect(await drain(database.db, { events, untilEmpty: true })).toMatchObject({ failed: 1, succeeded: 2 });
    expect(await database.db.jobRun.count()).toBe(0);
  });
});
