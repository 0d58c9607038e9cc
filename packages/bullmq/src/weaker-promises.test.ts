import { expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { RESCUE, type ClaimableContract, type ClaimedRun, type Store } from '@duework/queue-core/ports';
import { charge, echo } from '@duework/testing/fixtures';
import { createBullmqStore, openBullmqQueue } from './index.js';
import { passTimeInRedis } from './testing/pass-time.js';
import { useRedis } from './testing/use-redis.js';

const redis = useRedis({ appendfsync: 'no' });

function open() {
  const connection = redis.connect();
  return { queue: openBullmqQueue({ connection }), store: createBullmqStore({ connection }) };
}

async function claim(store: Store, limit = 1): Promise<readonly ClaimedRun[]> {
  const contracts = new Map<string, ClaimableContract>([['echo', echo]]);
  return (await store.claim({ queue: 'default', contracts, worker: 'w', limit })).runs;
}

test('a job whose retry has become due stands behind those of its priority that were in line before', async () => {
  const { queue, store } = open();
  const first = await queue.enqueue(echo, { n: 1 });
  const [run] = await claim(store);
  const second = await queue.enqueue(echo, { n: 2 });
  const error = { code: 'x', type: 'X', message: 'x', stack: null };
  await store.settle([{ kind: 'fail', id: first.id, fence: run!.fence, error, delayMs: 0, abort: null }]);
  expect((await claim(store, 2)).map(({ id }) => id)).toEqual([second.id, first.id]);
});

test('more jobs than a claim looks past, of a type that nobody here knows, hold up nobody behind them', async () => {
  const { queue, store } = open();
  await queue.enqueueMany(Array.from({ length: 450 }, (_, invoice) => jobRequest(charge, { invoice })));
  const { id } = await queue.enqueue(echo, { n: 1 });
  const claims = [await claim(store), await claim(store), await claim(store)];
  expect(claims.flat().map((run) => run.id)).toEqual([id]);
  expect(await queue.queueDepth()).toMatchObject([
    { type: 'charge', due: 450 },
    { type: 'echo', running: 1 },
  ]);
});

test('of a job that is given back again and again the last hundred attempts are kept', async () => {
  const { queue, store } = open();
  const { id } = await queue.enqueue(echo, { n: 1 });
  for (let n = 0; n < 103; n++) {
    const [run] = await claim(store);
    await store.settle([{ kind: 'release', id, fence: run!.fence, reason: 'deploy', abort: null }]);
  }
  const { job, attempts } = await queue.getJob(id);
  expect(job).toMatchObject({ attempts: 0, releases: 103, fence: 103 });
  expect(attempts.map(({ fence }) => fence)).toEqual(Array.from({ length: 100 }, (_, at) => at + 4));
});

test('of a very long queue the depth is at least what was counted', async () => {
  const { queue } = open();
  for (let part = 0; part < 11; part++)
    await queue.enqueueMany(Array.from({ length: 1_000 }, (_, n) => jobRequest(echo, { n })));
  expect(await queue.queueDepth()).toMatchObject([{ type: 'echo', due: 10_000, isAtLeast: true }]);
});

test('a job that a worker has fetched, and not begun when it died, is given back uncharged', async () => {
  const { queue, store } = open();
  const { id } = await queue.enqueue(echo, { n: 1 });
  const connection = redis.connect();
  const dies = createBullmqStore({ connection });
  const fetched = new Promise<void>((resolve) => {
    Object.assign(connection, {
      dueworkBegin: () => {
        resolve();
        return new Promise(() => {});
      },
    });
  });
  void claim(dies);
  await fetched;
  expect(await claim(store)).toEqual([]);
  const look = async () => (await store.takeChores([{ name: RESCUE, everyMs: 0 }])).lost;
  for (let looks = 0; looks < 2; looks++) {
    expect(await look()).toEqual({ hasExpired: false, missing: [] });
    await passTimeInRedis(redis.connect(), 3_001);
  }
  await look();
  expect(await claim(store)).toMatchObject([{ id, attempt: 1, fence: 1 }]);
  expect((await queue.getJob(id)).attempts).toEqual([]);
});
