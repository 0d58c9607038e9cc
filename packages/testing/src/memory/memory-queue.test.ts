import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defineCatalog, defineJob } from '@duework/contracts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { jobRequest, type Worker } from '@duework/queue-core';
import { makeNewRun } from '@duework/queue-core/internals';
import { createFakeClock } from '../create-fake-clock.js';
import { drain } from '../drain.js';
import { charge, echo, testCatalog } from '../fixtures/test-contracts.js';
import { startTestWorker } from '../start-test-worker.js';
import { createMemoryQueue } from './create-memory-queue.js';
import { numbersOf } from '../conformance/harness.js';
import { createMemoryStore } from './memory-store.js';
import { insertRuns } from './insert-runs.js';
import { MemoryTables } from './tables/memory-tables.js';
import { WaitingRuns } from './tables/waiting-runs.js';
import { DueWatch } from './tables/watch-due.js';

const aside = defineJob({ type: 'aside', payload: z.object({}), queue: 'aside' });
const catalogOfTwoQueues = defineCatalog([echo, aside]);

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

describe('a worker on the memory queue', () => {
  test('is woken when a run is due at once, and when a run becomes due', async () => {
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock });
    // it would poll once in an hour
    const { worker, events } = await startTestWorker<typeof testCatalog>(queue, {
      catalog: testCatalog,
      clock,
      pollIntervalMs: 3_600_000,
      handlers: { echo: () => {}, charge: () => {} },
    });
    workers.push(worker);
    await clock.advance(0);
    await queue.enqueue(echo, { n: 1 });
    await clock.advance(0);
    expect(events.named('job.succeeded')).toHaveLength(1);
    await queue.enqueueMany([jobRequest(echo, { n: 2 }, { delay: '2m' }), jobRequest(echo, { n: 3 }, { delay: '1m' })]);
    await clock.advance(59_999);
    expect(events.named('job.succeeded')).toHaveLength(1);
    await clock.advance(1);
    expect(events.named('job.succeeded')).toHaveLength(2);
    await clock.advance(60_000);
    expect(numbersOf(events.named('job.succeeded').map((event) => event.run))).toEqual([1, 3, 2]);
  });

  test('misses no run that becomes due while the queue is read', async () => {
    const clock = createFakeClock();
    let looks = 0;
    // a millisecond goes by between any two looks at the clock
    const queue = createMemoryQueue({ clock: { ...clock, now: () => new Date(clock.now().getTime() + looks++) } });
    const { worker, events } = await startTestWorker<typeof catalogOfTwoQueues>(queue, {
      catalog: catalogOfTwoQueues,
      clock,
      pollIntervalMs: 3_600_000,
      handlers: { echo: () => {}, aside: () => {} },
    });
    workers.push(worker);
    await clock.advance(0);
    for (let delayMs = 1; delayMs <= 20; delayMs++) {
      await queue.enqueue(echo, { n: delayMs }, { delay: `${delayMs}ms` });
      await clock.advance(1_000);
      expect(events.named('job.succeeded')).toHaveLength(3 * delayMs - 2);
      // and once more, with a claim of the other queue in between
      await queue.enqueue(echo, { n: delayMs }, { delay: `${delayMs}ms` });
      await queue.enqueue(aside, {});
      await clock.advance(1_000);
      expect(events.named('job.succeeded')).toHaveLength(3 * delayMs);
    }
  });

  test('learns at once that somebody wants a run cancelled', async () => {
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock });
    const { worker, events } = await startTestWorker<typeof testCatalog>(queue, {
      catalog: testCatalog,
      clock,
      handlers: {
        echo: ({ signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
        charge: () => {},
      },
    });
    workers.push(worker);
    const { id } = await queue.enqueue(echo, { n: 1 });
    await clock.advance(0);
    expect(await queue.cancelJob(id, { by: 'ada', reason: 'wrong order' })).toBe('requested');
    await clock.advance(0);
    expect(events.named('job.cancelled')).toHaveLength(1);
    expect((await queue.getJob(id)).job).toMatchObject({ status: 'cancelled', cancelRequestedBy: 'ada' });
  });

  test('that has stopped leaves no timer behind', async () => {
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock });
    const { worker } = await startTestWorker<typeof testCatalog>(queue, {
      catalog: testCatalog,
      clock,
      handlers: { echo: () => {}, charge: () => {} },
    });
    await queue.enqueue(echo, { n: 1 }, { delay: '1h' });
    await worker.stop({ deadlineMs: 0 });
    await clock.advance(0);
    expect(clock.nextTimerMs()).toBeNull();
  });
});

test('an attempt that succeeded is on record with its logs where its contract keeps them', async () => {
  const told = defineJob({ type: 'told', payload: z.object({}), keepLogs: true });
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const { worker, events } = await startTestWorker<readonly [typeof told]>(queue, {
    catalog: [told],
    clock,
    handlers: { told: ({ log }) => log.info({}, 'heard') },
  });
  workers.push(worker);
  const { id } = await queue.enqueue(told, {});
  await drain(queue, { events, clock, untilEmpty: true });
  expect((await queue.getJob(id)).attempts).toMatchObject([
    { attempt: 1, outcome: 'succeeded', logs: expect.stringContaining('info heard') },
  ]);
});

describe('completeIn on the memory queue', () => {
  const tx = { $queryRaw: () => Promise.reject(new Error('there is no SQL here')) };

  test('completes the run, and a handler that throws afterwards runs again: its own transaction may be gone', async () => {
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock });
    const { worker, events } = await startTestWorker<typeof testCatalog>(queue, {
      catalog: testCatalog,
      clock,
      handlers: {
        echo: async ({ completeIn, attempt, payload }) => {
          await completeIn(tx, { n: payload.n });
          if (attempt === 1 && payload.n === 2) throw new Error('rolled back');
        },
        charge: () => {},
      },
    });
    workers.push(worker);
    const [kept, repeated] = await queue.enqueueMany([1, 2].map((n) => jobRequest(echo, { n })));
    expect(await drain(queue, { events, clock, untilEmpty: true })).toMatchObject({ succeeded: 2, failed: 1, lost: 0 });
    expect(await queue.getJob(kept!.id)).toMatchObject({
      job: { status: 'succeeded', attempts: 1, result: { n: 1 } },
      attempts: [],
    });
    expect(await queue.getJob(repeated!.id)).toMatchObject({
      job: { status: 'succeeded', attempts: 2, result: { n: 2 } },
      attempts: [{ outcome: 'failed', errorMessage: 'rolled back' }],
    });
    expect(queue.size()).toMatchObject({ live: 0, finished: 2 });
  });
});

describe('the memory queue', () => {
  test('forgets the oldest finished runs, with their keys, attempts and effects', async () => {
    const queue = createMemoryQueue({ keepFinished: 2 });
    const [first, second] = await queue.enqueueMany([1, 2, 3].map((invoice) => jobRequest(charge, { invoice })));
    for (const run of (
      await queue.store.claim({
        queue: 'default',
        contracts: new Map([['charge', { ...charge, leaseMs: 1_000 }]]),
        worker: 'w',
        limit: 3,
      })
    ).runs) {
      await queue.store.beginEffect({
        type: 'charge',
        runKey: run.idempotencyKey!,
        name: 'mail',
        id: run.id,
        fence: run.fence,
        policy: 'at_least_once',
      });
      await queue.store.endEffect({ type: 'charge', runKey: run.idempotencyKey!, name: 'mail' }, run, {
        kind: 'done',
        resultJson: '1',
      });
      await queue.store.settle([{ kind: 'complete', id: run.id, fence: run.fence, result: null }]);
    }
    await expect(queue.getJob(first!.id)).rejects.toMatchObject({ code: 'job_not_found' });
    expect(await queue.store.findEffect({ type: 'charge', runKey: 'charge:1', name: 'mail' })).toBeNull();
    expect(await queue.enqueue(charge, { invoice: 1 })).toMatchObject({ isDeduplicated: false });
    expect(await queue.store.findEffect({ type: 'charge', runKey: 'charge:2', name: 'mail' })).toEqual({ result: 1 });
    expect(await queue.enqueue(charge, { invoice: 2 })).toMatchObject({ id: second!.id, isDeduplicated: true });
  });

  test('keeps nothing of ten thousand runs once their retention is over', async () => {
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock, keepFinished: 20_000 });
    let invoice = 0;
    const runAndPrune = async (count: number): Promise<number> => {
      const { worker, events } = await startTestWorker<typeof testCatalog>(queue, {
        catalog: testCatalog,
        clock,
        concurrency: 100,
        // the event loop is busy here, and nobody should measure it
        maxLoopDelayMs: 60_000,
        handlers: {
          echo: ({ attempt, payload }) => {
            if (payload.n % 4 === 0 && attempt === 1) throw new Error('again');
          },
          charge: async ({ once }) => void (await once('mail', () => ({ sent: true }))),
        },
      });
      await queue.enqueueMany(
        Array.from({ length: count }, (_, n) =>
          n % 2 === 0 ? jobRequest(echo, { n }) : jobRequest(charge, { invoice: invoice++ }),
        ),
      );
      expect(await drain(queue, { events, clock, untilEmpty: true, timeoutMs: 150_000 })).toMatchObject({
        succeeded: count,
        failed: count / 4,
      });
      await worker.stop({ deadlineMs: 0 });
      expect(queue.size()).toEqual({ live: 0, finished: count, waiting: 0 });
      await clock.advance(40 * 86_400_000);
      await queue.store.prune({ keepDays: 30, keepDeadDays: 30 });
      expect(queue.size()).toEqual({ live: 0, finished: 0, waiting: 0 });
      return usedHeap();
    };
    // the first ones warm everything up, and leave the tables the room they need
    const before = await runAndPrune(10_000);
    const after = await runAndPrune(10_000);
    // a key or an effect of each would be more than a hundred bytes
    expect((after - before) / 10_000).toBeLessThan(80);
    // twenty thousand runs are ten seconds of one processor, which others may use, too
  });

  test.each([
    ['pruned', 1_000],
    ['more than are to be kept', 0],
  ])('keeps nothing in any table of runs that are %s', async (_, keepFinished) => {
    const clock = createFakeClock();
    const tables = new MemoryTables(clock, keepFinished);
    const store = createMemoryStore(tables, new DueWatch(tables));
    insertRuns(
      tables,
      Array.from({ length: 50 }, (_, invoice) => makeNewRun(jobRequest(charge, { invoice }))),
    );
    for (let round = 0; round < 2; round++) {
      for (const run of (
        await store.claim({
          queue: 'default',
          contracts: new Map([['charge', { ...charge, leaseMs: 1_000 }]]),
          worker: 'w',
          limit: 50,
        })
      ).runs) {
        await store.beginEffect({
          type: 'charge',
          runKey: run.idempotencyKey!,
          name: 'mail',
          id: run.id,
          fence: run.fence,
          policy: 'at_least_once',
        });
        const error = { code: 'x', type: 'X', message: 'x', stack: null };
        await store.settle([
          { kind: round === 0 ? 'fail' : 'bury', id: run.id, fence: run.fence, error, delayMs: 0, abort: null },
        ]);
      }
    }
    if (keepFinished > 0) {
      await clock.advance(40 * 86_400_000);
      await store.prune({ keepDays: 30, keepDeadDays: 30 });
    }
    for (const table of Object.values(tables))
      if (table instanceof Map || table instanceof Set || table instanceof WaitingRuns) expect(table.size).toBe(0);
  });
});

/** Bytes in use after everything that nobody holds any more is gone. */
function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) collect();
  return process.memoryUsage().heapUsed;
}
