import { defineJob } from '@duework/contracts';
import { complete, type Json } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { echo, untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkShards } from './check-shards.js';
import { closeShard, countLiveJobs, foundShard, readShard } from './found-shard.js';
import { openShards } from './open-shards.js';

const one = useTestDatabase();
const two = useTestDatabase();

test('a database becomes a shard once, and keeps its name', async () => {
  expect(await readShard(one.db)).toBeNull();
  await expect(checkShards({ a: one.db })).rejects.toMatchObject({
    code: 'shards_disagree',
    message: expect.stringContaining('duework shards found a'),
  });
  expect(await foundShard(one.db, 'a')).toMatchObject({ name: 'a', closedAt: null });
  expect(await foundShard(one.db, 'a')).toMatchObject({ name: 'a' });
  await expect(foundShard(one.db, 'b')).rejects.toMatchObject({ code: 'shard_founded', facts: { name: 'a' } });
  await expect(foundShard(two.db, 'Größe')).rejects.toMatchObject({ code: 'invalid_option' });
});

test('shards that are called by each other’s names are refused', async () => {
  await foundShard(one.db, 'a');
  await foundShard(two.db, 'b');
  expect(await checkShards({ a: one.db, b: two.db })).toMatchObject({
    shards: [{ name: 'a' }, { name: 'b' }],
    problems: [],
  });
  await expect(checkShards({ a: two.db, b: one.db })).rejects.toMatchObject({
    code: 'shards_disagree',
    message: expect.stringContaining('the database of a is shard b'),
  });
});

test('a shard that is closed takes what is asked for it, and nothing else', async () => {
  await foundShard(one.db, 'a');
  await foundShard(two.db, 'b');
  expect((await closeShard(two.db))!.closedAt).toBeInstanceOf(Date);
  const shards = openShards({ shards: { a: one.db, b: two.db } });
  for (let n = 0; n < 4; n++) expect((await shards.enqueue(echo, { n })).id).toMatch(/^a\./);
  expect((await shards.in('b').enqueue(echo, { n: 5 })).id).toMatch(/^b\./);
  expect(await countLiveJobs(two.db)).toBe(1);
  expect((await closeShard(two.db, false))!.closedAt).toBeNull();
});

const pay = defineJob({ type: 'pay', payload: z.object({}), lease: '2s' });

test('a handler knows its job by the id that names the shard, and completes it in a transaction of that shard alone', async () => {
  await foundShard(one.db, 'a');
  await foundShard(two.db, 'b');
  const shards = openShards({ shards: { a: one.db, b: two.db } });
  const refused: unknown[] = [];
  const { worker } = await startTestWorker(one.db, {
    catalog: [pay],
    handlers: {
      pay: async ({ run, completeIn, once }) => {
        const key = await once('charge', (about) => about.key);
        await two.db.$transaction((tx) => completeIn(tx)).catch((error: unknown) => refused.push(error));
        await one.db.$transaction((tx) => completeIn(tx, { id: run.id, key } as Json));
        return complete();
      },
    },
  });
  try {
    const { id } = await shards.in('a').enqueue(pay, {});
    const { result } = await untilJob(shards, id, { status: 'succeeded' });
    expect(result).toEqual({ id, key: `pay:run:${id}:charge` });
    expect(refused).toMatchObject([{ code: 'wrong_shard', facts: { expected: 'a', actual: 'b' } }]);
  } finally {
    await worker.stop({ deadlineMs: 0 });
  }
});
