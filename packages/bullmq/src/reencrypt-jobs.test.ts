import { defineCatalog, defineJob } from '@duework/contracts';
import { createKeyRing, setKeyRing } from '@duework/queue-core';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createBullmqStore, openBullmqQueue, readJobId, reencryptJobs } from './index.js';
import { Queues } from './redis/queues.js';
import { useRedis } from './testing/use-redis.js';

const redis = useRedis({ appendfsync: 'no' });
const pay = defineJob({
  type: 'pay',
  payload: z.object({ n: z.int(), card: z.string() }),
  sensitive: ['/card'],
});
const contracts = new Map([['pay', pay]]);
const keys = Object.fromEntries(
  ['old', 'older', 'current'].map((id, n) => [id, Buffer.alloc(32, n).toString('base64')]),
);
const ringOf = (current: string, ...known: string[]) =>
  createKeyRing({ current, keys: Object.fromEntries([current, ...known].map((id) => [id, keys[id]!])) });
const ring = ringOf('current', 'old', 'older');
const CARD = '4111111111111111';
const error = { code: 'no', type: 'No', message: 'no', stack: null };
afterEach(() => setKeyRing(null));

async function start() {
  const connection = redis.connect();
  const store = createBullmqStore({ connection });
  await store.prepare(defineCatalog([pay]));
  const queue = openBullmqQueue({ connection });
  const queues = new Queues({ connection });
  const add = async (keyId: string, count: number): Promise<string[]> => {
    setKeyRing(ringOf(keyId));
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await queue.enqueue(pay, { n, card: CARD })).id);
    return ids;
  };
  const storedOf = async (id: string): Promise<string> =>
    (await connection.hget(queues.jobKey(readJobId(id)!), 'data'))!;
  const claim = async (limit: number) => (await store.claim({ queue: 'default', contracts, worker: 'w', limit })).runs;
  return { connection, store, queue, queues, add, storedOf, claim, place: { connection } };
}

/** The sealed card of a stored payload, opened with the current key alone. */
const cardOf = (stored: string): unknown => {
  const { card } = JSON.parse(stored) as { card: { $sealed: string } };
  const text = ringOf('current').open(card.$sealed, JSON.stringify(['duework.payload', 'pay', 1, '/card']));
  return text === null ? null : JSON.parse(text);
};

test('jobs in Redis are encrypted anew with the current key, dead ones too, and what has succeeded stays as it is', async () => {
  const { store, add, storedOf, claim, place } = await start();
  const [first, second] = await add('old', 2);
  for (const { id, fence } of await claim(2)) {
    if (id === first) await store.settle([{ kind: 'complete', id, fence, result: null }]);
    else await store.settle([{ kind: 'bury', id, fence, error, abort: null }]);
  }
  const succeeded = await storedOf(first!);
  const others = [...(await add('older', 250)), ...(await add('old', 3))];
  const already = await add('current', 3);
  const kept = await Promise.all(already.map(storedOf));
  const progress: number[] = [];
  const done = await reencryptJobs(place, ring, { onProgress: ({ checked }) => progress.push(checked) });
  expect(done).toEqual({ checked: 257, rewritten: 254, passed: 0, running: [], missing: {} });
  expect(progress.at(-1)).toBe(257);
  for (const id of [second!, ...others]) expect(cardOf(await storedOf(id))).toBe(CARD);
  expect(await Promise.all(already.map(storedOf))).toEqual(kept);
  expect(await storedOf(first!)).toBe(succeeded);
  expect(await reencryptJobs(place, ring)).toMatchObject({ checked: 257, rewritten: 0, passed: 0 });
});

test('a job that runs is left to its end and named, and the next call takes it', async () => {
  const { store, add, storedOf, claim, place } = await start();
  const [id] = await add('old', 1);
  const stored = await storedOf(id!);
  const [run] = await claim(1);
  expect(await reencryptJobs(place, ring)).toMatchObject({ checked: 1, rewritten: 0, running: [id], passed: 0 });
  expect(await storedOf(id!)).toBe(stored);
  await store.settle([{ kind: 'fail', id: id!, fence: run!.fence, delayMs: 60_000, error, abort: null }]);
  expect(await reencryptJobs(place, ring)).toMatchObject({ rewritten: 1, running: [] });
  expect(cardOf(await storedOf(id!))).toBe(CARD);
});

test('a key that the ring does not have is counted, and its jobs stay as they are', async () => {
  const { add, storedOf, place } = await start();
  const [id] = await add('older', 2);
  const stored = await storedOf(id!);
  const without = ringOf('current', 'old');
  expect(await reencryptJobs(place, without)).toMatchObject({ checked: 2, rewritten: 0, missing: { older: 2 } });
  expect(await storedOf(id!)).toBe(stored);
});

test('with the catalog, what is stored in plain text is encrypted, too', async () => {
  const { queue, storedOf, place } = await start();
  const { id } = await queue.enqueue(pay, { n: 1, card: CARD });
  expect(await reencryptJobs(place, ring)).toMatchObject({ checked: 1, rewritten: 0 });
  expect(await reencryptJobs(place, ring, { catalog: defineCatalog([pay]) })).toMatchObject({ rewritten: 1 });
  expect(cardOf(await storedOf(id))).toBe(CARD);
});

test('a payload is replaced only where it is as it was read, and while nobody holds its job or carries it away', async () => {
  const { connection, queues, add, storedOf, claim } = await start();
  const [id] = await add('old', 1);
  const placed = readJobId(id!)!;
  const job = queues.jobKey(placed);
  const replace = (before: string) => queues.redis.dueworkReplace(job, queues.lockKey(placed), before, '{"n":2}');
  const before = await storedOf(id!);
  expect(await replace(`${before} `)).toBe(0);
  await connection.hset(job, 'dw:moved', 'on its way');
  expect(await replace(before)).toBe(0);
  await connection.hdel(job, 'dw:moved');
  await connection.set(queues.lockKey(placed), 'a claim');
  expect(await replace(before)).toBe(0);
  await connection.del(queues.lockKey(placed));
  const [run] = await claim(1);
  await connection.del(queues.lockKey(placed));
  expect([run!.id, await replace(before)]).toEqual([id, 0]);
  expect(await storedOf(id!)).toBe(before);
});

test('a job that is on its way to the table is passed, because its payload will be there, and one that has arrived is done', async () => {
  const { connection, queues, add, place } = await start();
  const [id] = await add('old', 1);
  const job = queues.jobKey(readJobId(id!)!);
  await connection.hset(job, { finishedOn: 1, returnvalue: 'null', 'dw:status': 'succeeded', 'dw:moved': 'a call' });
  expect(await reencryptJobs(place, ring)).toMatchObject({ checked: 1, rewritten: 0, passed: 1 });
  await connection.hset(job, 'dw:movedTo', '2078');
  expect(await reencryptJobs(place, ring)).toMatchObject({ checked: 0, passed: 0 });
});

test('a job that is held for longer is passed, and an interrupted call goes on where it is begun anew', async () => {
  const { connection, queues, add, storedOf, place } = await start();
  const ids = await add('old', 150);
  const lock = queues.lockKey(readJobId(ids[0]!)!);
  await connection.set(lock, 'a claim');
  const stopping = new AbortController();
  const stopped = new Error('enough');
  const onProgress = () => stopping.abort(stopped);
  await expect(reencryptJobs(place, ring, { onProgress, signal: stopping.signal })).rejects.toBe(stopped);
  const done = await reencryptJobs(place, ring);
  expect(done).toMatchObject({ checked: 150, passed: 1, missing: {} });
  expect(done.rewritten).toBe(49);
  await connection.del(lock);
  expect(await reencryptJobs(place, ring)).toMatchObject({ rewritten: 1, passed: 0 });
  for (const id of ids) expect(cardOf(await storedOf(id))).toBe(CARD);
});

test('beside workers that claim and retry, no card is lost, and in the end no old key is needed', async () => {
  const { store, add, storedOf, claim, place } = await start();
  setKeyRing(ring);
  const ids = await add('old', 300);
  const over = new AbortController();
  const turns = new Map<string, number>();
  const work = async (): Promise<void> => {
    while (!over.signal.aborted) {
      for (const { id, fence } of await claim(20)) {
        const turn = (turns.get(id) ?? 0) + 1;
        turns.set(id, turn);
        // each waits for its moment after the second turn
        const delayMs = turn === 1 ? 0 : 3_600_000;
        await store.settle([{ kind: 'fail', id, fence, delayMs, error, abort: null }]);
      }
    }
  };
  const working = Promise.all([work(), work()]);
  let rewritten = 0;
  for (;;) {
    const done = await reencryptJobs(place, ring);
    rewritten += done.rewritten;
    if (done.rewritten === 0 && done.passed === 0 && done.running.length === 0) break;
  }
  over.abort();
  await working;
  expect(rewritten).toBe(300);
  for (const id of ids) expect(cardOf(await storedOf(id))).toBe(CARD);
});
