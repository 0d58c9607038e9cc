import { defineCatalog, defineJob } from '@duework/contracts';
import { createKeyRing, setKeyRing } from '@duework/queue-core';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { countOldKeys, createBullmqStore, openBullmqQueue } from './index.js';
import { useRedis } from './testing/use-redis.js';

const redis = useRedis({ appendfsync: 'no' });
const pay = defineJob({
  type: 'pay',
  payload: z.object({ n: z.int(), card: z.string() }),
  sensitive: ['/card'],
  encryption: 'required',
});
const keys = Object.fromEntries(
  ['old', 'older', 'current'].map((id, n) => [id, Buffer.alloc(32, n).toString('base64')]),
);
const ringOf = (current: string) => createKeyRing({ current, keys });
afterEach(() => setKeyRing(null));

test('jobs in Redis are counted by the key they need, dead ones too, but for the current key and for what has succeeded', async () => {
  const connection = redis.connect();
  const store = createBullmqStore({ connection });
  await store.prepare(defineCatalog([pay]));
  const queue = openBullmqQueue({ connection });
  const add = async (keyId: string, count: number) => {
    setKeyRing(ringOf(keyId));
    for (let n = 0; n < count; n++) await queue.enqueue(pay, { n, card: '4111111111111111' });
  };
  await add('old', 2);
  const contracts = new Map([['pay', pay]]);
  const { runs } = await store.claim({ queue: 'default', contracts, worker: 'w', limit: 2 });
  const [done, dead] = runs;
  const error = { code: 'no', type: 'No', message: 'no', stack: null };
  await store.settle([{ kind: 'complete', id: done!.id, fence: done!.fence, result: null }]);
  await store.settle([{ kind: 'bury', id: dead!.id, fence: dead!.fence, error, abort: null }]);
  await add('older', 250);
  await add('current', 3);
  expect(await countOldKeys({ connection }, ringOf('current'))).toEqual({ old: 1, older: 250 });
  expect(await countOldKeys({ connection }, ringOf('older'))).toEqual({ old: 1, current: 3 });
});
