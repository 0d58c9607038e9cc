import { defineJob } from '@duework/contracts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { complete, jobRequest, type Worker } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { charge, echo, testCatalog, untilJob } from '@duework/testing/fixtures';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { createBullmqStore, openBullmqQueue } from './index.js';
import { useRedis } from './testing/use-redis.js';

const redis = useRedis({ appendfsync: 'no' });
const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

const contracts = new Map(testCatalog.map((contract) => [contract.type, contract]));
type Handlers = Parameters<typeof startTestWorker<typeof testCatalog>>[1]['handlers'];

async function start(handlers: Partial<Handlers>, connection: Redis = redis.connect()) {
  const started = await startTestWorker<typeof testCatalog>(
    { store: createBullmqStore({ connection }) },
    {
      catalog: testCatalog,
      handlers: { echo: () => {}, charge: () => {}, ...handlers },
      maintenance: { rescueIntervalMs: 50 },
    },
  );
  workers.push(started.worker);
  return started;
}

describe('two workers on connections of their own', () => {
  test('that claim at once share no run, and leave none', async () => {
    const queue = openBullmqQueue({ connection: redis.connect() });
    const jobs = await queue.enqueueMany(Array.from({ length: 400 }, (_, n) => jobRequest(echo, { n })));
    const stores = Array.from({ length: 4 }, () => createBullmqStore({ connection: redis.connect() }));
    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        stores[at % 4]!.claim({ queue: 'default', contracts, worker: `w${at % 4}`, limit: 17 }),
      ),
    );
    const ids = claims.flatMap(({ runs }) => runs.map(({ id }) => id));
    expect(ids.toSorted()).toEqual(jobs.map(({ id }) => id).toSorted());
  });

  test('do each of many jobs once', async () => {
    const queue = openBullmqQueue({ connection: redis.connect() });
    const seen: number[] = [];
    const echoed = ({ payload }: { readonly payload: { readonly n: number } }): void => void seen.push(payload.n);
    const started = await Promise.all([start({ echo: echoed }), start({ echo: echoed })]);
    const numbers = Array.from({ length: 500 }, (_, n) => n);
    await queue.enqueueMany(numbers.map((n) => jobRequest(echo, { n })));
    const done = (): number => started.reduce((sum, { events }) => sum + events.named('job.succeeded').length, 0);
    while (done() < 500) await Promise.race(started.map(({ events }) => events.next()));
    expect(seen.toSorted((left, right) => left - right)).toEqual(numbers);
  });
});

test('a worker that looks in vain is woken by an enqueue on another connection, and by a run that becomes due', async () => {
  const queue = openBullmqQueue({ connection: redis.connect() });
  const { events } = await start({});
  // it polls once a minute
  await queue.enqueue(echo, { n: 1 });
  await events.waitFor('job.succeeded');
  await queue.enqueue(echo, { n: 2 }, { delay: '300ms' });
  expect(await events.waitFor('job.succeeded', 2)).toHaveLength(2);
});

test('a worker whose lease has passed on is told so, and settles nothing', async () => {
  const connection = redis.connect();
  const queue = openBullmqQueue({ connection });
  const { id } = await queue.enqueue(echo, { n: 1 });
  const late = createBullmqStore({ connection: redis.connect() });
  const { runs } = await late.claim({
    queue: 'default',
    contracts: new Map([['echo', { ...echo, leaseMs: 100 }]]),
    worker: 'late',
    limit: 1,
  });
  const { events } = await start({});
  await events.waitFor('job.succeeded');
  const [run] = runs;
  expect(await late.settle([{ kind: 'complete', id, fence: run!.fence, result: 'late' }])).toEqual([null]);
  expect(await late.extendLeases([{ id, fence: run!.fence, leaseMs: 1_000, renew: 'now' }])).toEqual([]);
  expect(await late.saveProgress(id, run!.fence, '1')).toBe(false);
  const { job, attempts } = await queue.getJob(id);
  expect(job).toMatchObject({ status: 'succeeded', attempts: 2 });
  expect(attempts).toMatchObject([{ worker: 'late', outcome: 'lost' }]);
});

test('a running job that somebody cancels on another connection is aborted at once', async () => {
  const queue = openBullmqQueue({ connection: redis.connect() });
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  await start({
    echo: ({ signal }) =>
      new Promise((_, reject) => {
        begin();
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  });
  const { id } = await queue.enqueue(echo, { n: 1 });
  await begun;
  expect(await queue.cancelJob(id, { by: 'ada', reason: 'wrong order' })).toBe('requested');
  await untilJob(queue, id, { status: 'cancelled' });
  expect((await queue.getJob(id)).job).toMatchObject({ cancelRequestedBy: 'ada', cancelReason: 'wrong order' });
});

test('a key whose job another program has removed is free', async () => {
  const connection = redis.connect();
  const queue = openBullmqQueue({ connection });
  const first = await queue.enqueue(charge, { invoice: 1 });
  await connection.del(`duework:${first.id}`);
  const second = await queue.enqueue(charge, { invoice: 1 });
  expect(second).toMatchObject({ isDeduplicated: false, status: 'queued' });
  expect(await queue.enqueue(charge, { invoice: 1 })).toMatchObject({ id: second.id, isDeduplicated: true });
});

test('a job that BullMQ’s own program adds runs, and is listed from then on', async () => {
  const { Queue } = await import('bullmq');
  const foreign = new Queue('default', { connection: redis.connect(), prefix: 'duework' });
  await foreign.add('echo', { n: 7 });
  const { events } = await start({ echo: ({ payload }) => complete({ got: payload.n }) });
  const [succeeded] = await events.waitFor('job.succeeded');
  const queue = openBullmqQueue({ connection: redis.connect() });
  expect((await queue.findJobs()).jobs).toMatchObject([
    { id: succeeded!.run.id, status: 'succeeded', result: { got: 7 } },
  ]);
  // and its own tools read what Duework has written
  expect(await foreign.getJobCounts('completed')).toEqual({ completed: 1 });
});

test('a handler that takes longer than its lease keeps it, and is not rescued by another worker', async () => {
  const queue = openBullmqQueue({ connection: redis.connect() });
  const store = createBullmqStore({ connection: redis.connect() });
  let renewals = 0;
  let renew = (): void => {};
  const renewed = new Promise<void>((resolve) => (renew = resolve));
  const { worker, events } = await startTestWorker<typeof testCatalog>(
    {
      store: {
        ...store,
        async extendLeases(batch) {
          const extended = await store.extendLeases(batch);
          // beyond the first lease
          if (extended.some(({ isExtended }) => isExtended) && ++renewals === 4) renew();
          return extended;
        },
      },
    },
    { catalog: testCatalog, handlers: { echo: () => renewed, charge: () => {} } },
  );
  workers.push(worker);
  const { id } = await queue.enqueue(echo, { n: 1 });
  await events.waitFor('job.claimed');
  await start({});
  await events.waitFor('job.succeeded');
  const { job, attempts } = await queue.getJob(id);
  expect(job).toMatchObject({ attempts: 1, fence: 1, worker: worker.name });
  expect(job.finishedAt!.getTime() - job.claimedAt!.getTime()).toBeGreaterThan(echo.leaseMs);
  expect(attempts).toEqual([]);
});

test('a job with an id of its program’s own is rescued as any other, and one of a scheduler of BullMQ is left alone', async () => {
  const { Queue } = await import('bullmq');
  const connection = redis.connect();
  const foreign = new Queue('default', { connection, prefix: 'duework' });
  await foreign.add('echo', { n: 1 }, { jobId: 'order.812@shop', attempts: 3 });
  await foreign.add('echo', { n: 2 }, { jobId: 'repeat:abc:1', attempts: 3 });
  const store = createBullmqStore({ connection });
  const hurried = new Map([['echo', { ...echo, leaseMs: 1 }]]);
  const { runs } = await store.claim({ queue: 'default', contracts: hurried, worker: 'gone', limit: 10 });
  expect(runs.map(({ id }) => id)).toEqual(['default:order.812@shop']);
  const { worker, events } = await start({});
  const [succeeded] = await events.waitFor('job.succeeded');
  expect(succeeded!.run).toMatchObject({ id: 'default:order.812@shop', attempt: 2 });
  // while a worker looks past it, it is active for a moment
  await worker.stop({ deadlineMs: 0 });
  expect(await foreign.getJobState('repeat:abc:1')).toBe('waiting');
});

test('a payload comes back as it was given, whatever is in it', async () => {
  const { store, queue } = ((connection) => ({
    store: createBullmqStore({ connection }),
    queue: openBullmqQueue({ connection }),
  }))(redis.connect());
  const anything = defineJob({ type: 'anything', payload: z.json() });
  const payloads = [
    [],
    {},
    { list: [], object: {}, nothing: null },
    9_007_199_254_740_991,
    -0.1,
    1e300,
    'é\u2028"\\/\n😀',
    { 'a:b': '%s', $: [null, [[]]] },
  ];
  const meta = { ключ: '"\\😀' };
  const jobs = await queue.enqueueMany(payloads.map((payload) => jobRequest(anything, payload, { meta })));
  const { runs } = await store.claim({
    queue: 'default',
    contracts: new Map([['anything', anything]]),
    worker: 'w',
    limit: 100,
  });
  expect(runs.map(({ payload }) => payload)).toEqual(payloads);
  await store.settle(runs.map(({ id, fence, payload: result }) => ({ kind: 'complete', id, fence, result })));
  for (const [at, { id }] of jobs.entries()) {
    const { job } = await queue.getJob(id);
    expect([job.payload, job.result, job.meta]).toEqual([payloads[at], payloads[at], meta]);
  }
});
