import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { createFakeClock, createMemoryQueue, startTestWorker, type FakeClock } from '@duework/testing';
import { aborted, gate } from '@duework/testing/fixtures';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { jobRequest } from '../enqueue/enqueue.js';
import type { Worker } from '../worker/create-worker.js';
import type { WorkerOptions } from '../worker/worker-options.js';
import type { CollectHandler } from './handler.js';
import { bury, complete, retry, snooze } from '../settle/outcome.js';

const payload = z.object({ n: z.int(), account: z.object({ id: z.string() }).optional() });
const options = { retry: fixed('1h'), timeout: '30s', lease: '30s', maxAttempts: 3 } as const;
const index = defineJob({ type: 'index', payload, ...options, queue: 'bulk', collect: { max: 100, wait: '2s' } });
const each = defineJob({
  type: 'each',
  payload,
  ...options,
  queue: 'accounts',
  collect: { max: 3, wait: '2s', by: 'account.id' },
});
const plain = defineJob({ type: 'plain', payload, ...options });
const catalog = defineCatalog([index, each, plain]);
type Handle = CollectHandler<typeof index>;

const started: { worker: Worker; clock: FakeClock }[] = [];
afterEach(async () => {
  for (const { worker, clock } of started.splice(0)) {
    const stopped = worker.stop({ deadlineMs: 0 });
    await clock.advance(60_000);
    await stopped;
  }
});

/** A queue in memory whose time is the test's, and how many jobs each call got. */
async function start(handle: Handle = () => {}, more: Partial<WorkerOptions<typeof catalog>> = {}) {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const calls: number[][] = [];
  const noted: Handle = (jobs, context) => {
    calls.push(jobs.map((job) => job.payload.n));
    return handle(jobs, context);
  };
  const { worker, events } = await startTestWorker<typeof catalog>(queue, {
    catalog,
    clock,
    handlers: { index: noted, each: noted as CollectHandler as CollectHandler<typeof each>, plain: () => {} },
    ...more,
  });
  started.push({ worker, clock });
  const add = (count: number) =>
    queue.enqueueMany(Array.from({ length: count }, (_, n) => jobRequest(index, { n: n + 1 })));
  const statusOf = async ({ id }: { id: string }) => (await queue.getJob(id)).job.status;
  return { clock, queue, worker, events, calls, add, statusOf };
}

describe('jobs that are collected', () => {
  test('arrive as 100, 100 and 50, the last when the wait is over', async () => {
    const { clock, events, calls, add } = await start();
    await add(250);
    await clock.advance(1_999);
    expect(calls.map((jobs) => jobs.length)).toEqual([100, 100]);
    await clock.advance(1);
    expect(calls.map((jobs) => jobs.length)).toEqual([100, 100, 50]);
    expect(calls.flat()).toEqual(Array.from({ length: 250 }, (_, n) => n + 1));
    expect(events.named('job.claimed')).toHaveLength(250);
    expect(events.named('job.succeeded')).toHaveLength(250);
  });

  test('arrive as many at once where the worker has one slot and a small buffer', async () => {
    const { clock, calls, add } = await start(() => {}, { concurrency: 1, buffer: 0 });
    await add(250);
    await clock.advance(2_000);
    expect(calls.map((jobs) => jobs.length)).toEqual([100, 100, 50]);
  });

  test('wait for two seconds from the first claim on, whoever comes later', async () => {
    const { clock, calls, add } = await start();
    await add(1);
    await clock.advance(1_500);
    await add(2);
    await clock.advance(499);
    expect(calls).toEqual([]);
    await clock.advance(1);
    expect(calls).toEqual([[1, 1, 2]]);
  });

  test('never share a call with those of another value, and the call is told the value', async () => {
    const seen: [string | null, readonly (string | undefined)[]][] = [];
    const { clock, queue } = await start((jobs, { by }) => {
      seen.push([by, jobs.map((job) => job.payload.account?.id)]);
    });
    const ids = ['a', 'b', 'a', 'c', 'a', 'b', 'a', undefined];
    await queue.enqueueMany(ids.map((id, n) => jobRequest(each, id === undefined ? { n } : { n, account: { id } })));
    await clock.advance(0);
    expect(seen).toEqual([['a', ['a', 'a', 'a']]]);
    await clock.advance(2_000);
    expect(seen.slice(1)).toEqual([
      ['b', ['b', 'b']],
      ['c', ['c']],
      ['a', ['a']],
      ['', [undefined]],
    ]);
  });

  test('wait without a slot for a call of their value, where one at once may run, and those of others pass them', async () => {
    const finish = gate();
    const single = defineCatalog([
      defineJob({
        ...options,
        type: 'each',
        payload,
        queue: 'accounts',
        collect: { max: 3, wait: '1s', by: 'account.id', atOnce: 1 },
      }),
    ]);
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock });
    const calls: [string | null, number[]][] = [];
    const { worker, events } = await startTestWorker<typeof single>(queue, {
      catalog: single,
      clock,
      concurrency: 2,
      handlers: {
        each: async (jobs, { by }) => {
          calls.push([by, jobs.map((job) => job.payload.n)]);
          if (by === 'a' && calls.length === 1) await finish.promise;
        },
      },
    });
    started.push({ worker, clock });
    const add = (id: string, n: number) => queue.enqueue(single[0]!, { n, account: { id } });
    await add('a', 1);
    await clock.advance(1_000);
    // four more than fit one call, and more than would fill the worker's slots
    for (let n = 2; n <= 6; n++) await add('a', n);
    await clock.advance(1_000);
    await add('b', 7);
    await clock.advance(1_000);
    expect(calls).toEqual([
      ['a', [1]],
      ['b', [7]],
    ]);
    // what waits for a call of its value is not given back, as what waits for a slot is
    await clock.advance(3_000);
    expect(events.named('job.released')).toEqual([]);
    finish.open();
    await clock.advance(1_000);
    expect(calls.slice(2)).toEqual([
      ['a', [2, 3, 4]],
      ['a', [5, 6]],
    ]);
  });

  test('take one slot with each call, also in a queue of jobs that are not collected', async () => {
    const finish = gate();
    const mixed = defineCatalog([
      defineJob({ ...options, type: 'index', payload, collect: { max: 100, wait: '2s' } }),
      plain,
    ]);
    const { clock, queue, worker, calls, events } = await start(() => finish.promise, {
      catalog: mixed as unknown as typeof catalog,
      concurrency: 2,
      pollIntervalMs: 5_000,
    });
    await queue.enqueueMany(Array.from({ length: 250 }, (_, n) => jobRequest(mixed[0], { n })));
    await queue.enqueue(plain, { n: 1 });
    while (calls.length < 2) await clock.advance(1);
    expect(worker.activity()).toMatchObject({ running: 2 });
    finish.open();
    while (events.named('job.succeeded').length < 251) await clock.advance(1);
    expect(calls.map((jobs) => jobs.length)).toEqual([100, 100, 50]);
  });

  test('gather up to the buffer of a worker, which goes on claiming when a call has begun', async () => {
    const { clock, queue, events, worker } = await start(() => {}, { buffer: 120 });
    await queue.enqueueMany(
      Array.from({ length: 150 }, (_, n) => jobRequest(each, { n, account: { id: `account ${n}` } })),
    );
    await clock.advance(1_999);
    expect(worker.activity()).toMatchObject({ running: 0, buffered: 120 });
    await clock.advance(1);
    await clock.advance(2_000);
    expect(events.named('job.succeeded')).toHaveLength(150);
  });
});

describe('each job of a call has an outcome of its own', () => {
  test('all are complete where the handler says nothing', async () => {
    const { clock, add, statusOf } = await start();
    const jobs = await add(3);
    await clock.advance(2_000);
    expect(await Promise.all(jobs.map(statusOf))).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });

  test.each<[string, Handle]>([
    ['a list', () => [complete({ ok: 1 }), retry('busy'), snooze('1h'), bury('gone', 'no such thing'), undefined]],
    [
      'a map',
      ([one, two, three, four]) =>
        new Map([
          [four!, bury('gone', 'no such thing')],
          [two!, retry('busy')],
          [one!, complete({ ok: 1 })],
          [three!, snooze('1h')],
        ]),
    ],
  ])('as %s says', async (_, handle) => {
    const { clock, queue, add } = await start(handle);
    const ids = await add(5);
    await clock.advance(2_000);
    const jobs = await Promise.all(ids.map(async ({ id }) => (await queue.getJob(id)).job));
    expect(jobs).toMatchObject([
      { status: 'succeeded', result: { ok: 1 }, attempts: 1 },
      { status: 'failed', lastError: 'busy', attempts: 1 },
      { status: 'queued', attempts: 0 },
      { status: 'dead', errorCode: 'gone', attempts: 1 },
      { status: 'succeeded', result: null },
    ]);
  });

  test('a throw fails those that are not settled yet, each by its own attempts', async () => {
    const { clock, queue, add, events } = await start((jobs) => {
      jobs[0]!.settle(complete({ early: true }));
      jobs[0]!.settle(bury('late', 'the second word does not count'));
      throw new Error('the index is away');
    });
    const last = await queue.enqueue(index, { n: 0 }, { maxAttempts: 1 });
    const ids = await add(2);
    await clock.advance(2_000);
    const jobs = await Promise.all([last, ...ids].map(async ({ id }) => (await queue.getJob(id)).job));
    expect(jobs).toMatchObject([
      { status: 'succeeded', result: { early: true } },
      { status: 'failed', attempts: 1, lastError: 'the index is away' },
      { status: 'failed', attempts: 1, lastError: 'the index is away' },
    ]);
    expect(new Set(events.named('job.failed').map(({ delayMs }) => delayMs)).size).toBe(2);
  });

  test('a job that is settled early is written while its call goes on', async () => {
    const finish = gate();
    const { clock, add, statusOf, worker } = await start(async (jobs) => {
      jobs[1]!.settle(complete());
      await finish.promise;
    });
    const jobs = await add(2);
    await clock.advance(2_000);
    expect(await Promise.all(jobs.map(statusOf))).toEqual(['running', 'succeeded']);
    expect(worker.activity().running).toBe(1);
    finish.open();
    await clock.advance(0);
    expect(await Promise.all(jobs.map(statusOf))).toEqual(['succeeded', 'succeeded']);
  });

  test.each<[string, Handle]>([
    ['too few outcomes', () => [complete()]],
    ['a map with a key that is no job of the call', () => new Map([[{} as never, complete()]])],
  ])('%s leave each dead at once, because its work may be done', async (_, handle) => {
    const { clock, add, events } = await start(handle);
    await add(2);
    await clock.advance(2_000);
    expect(events.named('job.dead').map(({ error }) => error.code)).toEqual(['invalid_outcome', 'invalid_outcome']);
  });

  test.each<[string, unknown, unknown[]]>([
    ['a text', 'done', [null, null]],
    ['the rows of a bulk insert, of another number', [{ id: 1 }, { id: 2 }, { id: 3 }], [null, null]],
    ['a row for each', [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }]],
    ['a map of something else', new Map([['a', 1]]), [null, null]],
  ])('%s is no outcome: the work of each is done, once', async (_, given, results) => {
    const { clock, queue, add, calls } = await start((() => given) as unknown as Handle);
    const jobs = await add(2);
    await clock.advance(60_000);
    expect(calls).toHaveLength(1);
    const found = await Promise.all(jobs.map(async ({ id }) => (await queue.getJob(id)).job));
    expect(found).toMatchObject(results.map((result) => ({ status: 'succeeded', result })));
  });

  test('the last attempt of one is dead while another is retried', async () => {
    const { clock, queue, add, statusOf } = await start(() => Promise.reject(new Error('no')));
    const last = await queue.enqueue(index, { n: 0 }, { maxAttempts: 1 });
    const [first] = await add(1);
    await clock.advance(2_000);
    expect([await statusOf(last), await statusOf(first!)]).toEqual(['dead', 'failed']);
  });
});

describe('a job is taken out of its call, and the others go on', () => {
  test('when it was cancelled while it waited: the call does not get it', async () => {
    const { clock, queue, add, calls, statusOf } = await start();
    const jobs = await add(3);
    await clock.advance(100);
    await queue.cancelJob(jobs[1]!.id);
    await clock.advance(20_000);
    expect(calls).toEqual([[1, 3]]);
    expect(await Promise.all(jobs.map(statusOf))).toEqual(['succeeded', 'cancelled', 'succeeded']);
  });

  test('when it is cancelled while the call runs: its signal aborts, and the call’s does not', async () => {
    const finish = gate();
    const signals: AbortSignal[] = [];
    const { clock, queue, add, statusOf, events } = await start(async (jobs, context) => {
      signals.push(context.signal, ...jobs.map((job) => job.signal));
      await finish.promise;
    });
    const jobs = await add(3);
    await clock.advance(2_000);
    await queue.cancelJob(jobs[1]!.id, { by: 'ada' });
    await clock.advance(15_000);
    expect(signals.map((signal) => signal.aborted)).toEqual([false, false, true, false]);
    expect(await Promise.all(jobs.map(statusOf))).toEqual(['running', 'cancelled', 'running']);
    finish.open();
    await clock.advance(0);
    expect(await Promise.all(jobs.map(statusOf))).toEqual(['succeeded', 'cancelled', 'succeeded']);
    expect(events.named('job.overran')).toEqual([]);
  });

  test('when its payload cannot be read', async () => {
    const { clock, queue, calls, statusOf } = await start();
    const loose = defineJob({ ...options, type: 'index', payload: z.any(), queue: 'bulk' });
    const bad = await queue.enqueue(loose, { n: 'none' });
    const good = await queue.enqueue(index, { n: 1 });
    await clock.advance(2_000);
    expect(calls).toEqual([[1]]);
    expect([await statusOf(bad), await statusOf(good)]).toEqual(['dead', 'succeeded']);
  });
});

describe('the time limit is that of the call', () => {
  test('all its jobs time out together, and so does the signal of the call', async () => {
    const reasons: unknown[] = [];
    const { clock, add, events } = await start(async (_, { signal }) => {
      await aborted(signal).catch((error: unknown) => reasons.push(error));
      throw signal.reason;
    });
    await add(3);
    await clock.advance(2_000);
    await clock.advance(29_999);
    expect(events.named('job.failed')).toEqual([]);
    await clock.advance(1);
    expect(reasons).toMatchObject([{ code: 'timeout' }]);
    expect(events.named('job.failed').map(({ error }) => error.code)).toEqual(['timeout', 'timeout', 'timeout']);
  });

  test('a handler that ignores it keeps one slot, and is told once', async () => {
    const ignoring = gate();
    const { clock, add, events, worker } = await start(() => ignoring.promise);
    await add(3);
    await clock.advance(2_000);
    await clock.advance(31_000);
    expect(events.named('job.failed')).toHaveLength(3);
    expect(events.named('job.overran')).toHaveLength(1);
    expect(worker.activity()).toMatchObject({ running: 1, stuckSlots: 1 });
    ignoring.open();
    await clock.advance(0);
    expect(worker.activity()).toMatchObject({ running: 0, stuckSlots: 0 });
  });
});

describe('a worker that stops', () => {
  test('gives back at once, uncharged, what gathers', async () => {
    const { clock, queue, worker, add, calls, events } = await start();
    const [first] = await add(5);
    await clock.advance(100);
    expect(worker.activity()).toMatchObject({ running: 0, buffered: 5 });
    const stopped = worker.stop({ deadlineMs: 60_000 });
    await clock.advance(0);
    expect(events.named('job.released')).toHaveLength(5);
    expect(await stopped).toEqual({ released: 5 });
    expect((await queue.getJob(first!.id)).job).toMatchObject({ status: 'queued', attempts: 0 });
    await clock.advance(10_000);
    expect(calls).toEqual([]);
  });

  test('lets a call end that has begun', async () => {
    const finish = gate();
    const { clock, worker, add, events } = await start(() => finish.promise);
    await add(2);
    await clock.advance(2_000);
    const stopped = worker.stop({ deadlineMs: 60_000 });
    await clock.advance(1_000);
    finish.open();
    await clock.advance(0);
    expect(await stopped).toEqual({ released: 0 });
    expect(events.named('job.succeeded')).toHaveLength(2);
  });

  test('gives back the jobs of a call that runs at its deadline', async () => {
    const { clock, worker, add, events } = await start((_, { signal }) => aborted(signal));
    await add(2);
    await clock.advance(2_000);
    const stopped = worker.stop({ deadlineMs: 1_000 });
    await clock.advance(1_000);
    expect(await stopped).toEqual({ released: 2 });
    expect(events.named('job.released')).toHaveLength(2);
  });
});

test('a call that gets no slot for a second is given back', async () => {
  const finish = gate();
  const { clock, queue, events, calls } = await start(() => finish.promise, { concurrency: 1 });
  await queue.enqueueMany(['a', 'b'].map((id, n) => jobRequest(each, { n, account: { id } })));
  await clock.advance(2_000);
  expect(calls).toEqual([[0]]);
  await clock.advance(2_000);
  expect(events.named('job.released').map(({ run }) => run.payload)).toEqual([{ n: 1, account: { id: 'b' } }]);
  finish.open();
  await clock.advance(4_000);
  expect(calls).toEqual([[0], [1]]);
});

test('middleware runs around each job, and the call begins when all have come through', async () => {
  const through: string[] = [];
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const { worker, events } = await startTestWorker<typeof catalog, { tenant: string }>(queue, {
    catalog,
    clock,
    middleware: async ({ run }, next) => {
      const { n } = run.payload as { n: number };
      if (n === 2) return bury('refused', 'not this one');
      await Promise.resolve();
      const outcome = await next({ tenant: `tenant ${n}` });
      through.push(`${n} ${outcome.kind}`);
      return outcome;
    },
    handlers: {
      index: (jobs) => {
        through.push(jobs.map((job) => job.tenant).join());
        return jobs.map((job) => (job.payload.n === 3 ? retry('later') : complete()));
      },
      each: () => {},
      plain: () => {},
    },
  });
  started.push({ worker, clock });
  await queue.enqueueMany([1, 2, 3].map((n) => jobRequest(index, { n })));
  await clock.advance(2_000);
  expect(through).toEqual(['tenant 1,tenant 3', '1 complete', '3 retry']);
  expect(events.named('job.dead')).toMatchObject([{ error: { code: 'refused' } }]);
});
