import { describe, expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import type { ClaimedRun, Store } from '@duework/queue-core/ports';
import { echo, testCatalog } from '@duework/testing/fixtures';
import { createBullmqStore, openBullmqQueue } from './index.js';
import { useRedis } from './testing/use-redis.js';

const redis = useRedis({ appendfsync: 'no' });
const contracts = new Map(testCatalog.map((contract) => [contract.type, contract]));
const LIMIT = 10;

const claim = async (store: Store, limit = LIMIT): Promise<readonly ClaimedRun[]> =>
  (await store.claim({ queue: 'default', contracts, worker: 'w1', limit })).runs;
const complete = (store: Store, runs: readonly ClaimedRun[]) =>
  store.settle(runs.map(({ id, fence }) => ({ kind: 'complete' as const, id, fence, result: null })));
const numbers = (runs: readonly ClaimedRun[]): unknown[] => runs.map(({ payload }) => (payload as { n: number }).n);

/** 30 jobs, of which the first ten have been claimed and completed by one store. */
async function completeTen() {
  const connection = redis.connect();
  const queue = openBullmqQueue({ connection });
  await queue.enqueueMany(Array.from({ length: 3 * LIMIT }, (_, n) => jobRequest(echo, { n })));
  const store = createBullmqStore({ connection });
  await complete(store, await claim(store));
  return { connection, queue, store };
}

describe('a full claim whose runs end together', () => {
  test('has the next ones fetched in the scripts of their completions, and the next claim begins them', async () => {
    const { connection, store } = await completeTen();
    expect(await connection.llen('duework:default:active')).toBe(LIMIT);
    const runs = await claim(store);
    expect(numbers(runs)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(runs.map(({ fence, attempt }) => [fence, attempt])).toEqual(runs.map(() => [1, 1]));
  });

  test('whose worker claims no more gives back what was fetched, uncharged, to where it stood', async () => {
    const { connection, queue } = await completeTen();
    const other = createBullmqStore({ connection: redis.connect() });
    // the locks of what is fetched last for longer
    while ((await connection.llen('duework:default:active')) > 0) await new Promise((resolve) => setImmediate(resolve));
    const runs = await claim(other, 2 * LIMIT);
    expect(numbers(runs)).toEqual(Array.from({ length: 2 * LIMIT }, (_, n) => LIMIT + n));
    for (const { id } of runs) expect((await queue.getJob(id)).job).toMatchObject({ attempts: 1, fence: 1 });
  });

  test('whose worker leaves gives back what was fetched before it has gone', async () => {
    const { connection, store } = await completeTen();
    await store.withdrawContracts('w1');
    expect(await connection.llen('duework:default:active')).toBe(0);
    expect(numbers(await claim(createBullmqStore({ connection }), 1))).toEqual([LIMIT]);
  });
});

test('runs that were fetched with others are held by tokens of their own once they begin', async () => {
  const { connection, store } = await completeTen();
  const runs = await claim(store);
  const locks = await Promise.all(
    runs.map(({ id }) => connection.get(`duework:default:${id.slice(id.indexOf(':') + 1)}:lock`)),
  );
  expect(locks).toEqual(runs.map(({ id, fence }) => `fence ${fence} of ${id}`));
});

test('a few that end are slow ones, with which nothing is fetched', async () => {
  const connection = redis.connect();
  const queue = openBullmqQueue({ connection });
  await queue.enqueueMany(Array.from({ length: 9 }, (_, n) => jobRequest(echo, { n })));
  const store = createBullmqStore({ connection });
  await complete(store, await claim(store, 3));
  expect(await connection.llen('duework:default:active')).toBe(0);
});
