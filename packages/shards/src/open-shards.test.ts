import { defineJob, defineSignal } from '@duework/contracts';
import { enqueue, jobRequest, type Job, type JobQueue } from '@duework/queue-core';
import { connectPg } from '@duework/database';
import { charge, echo, startCuttableProxy } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { AskShards } from './ask-shards.js';
import { mergePages } from './merge-pages.js';
import { openShards } from './open-shards.js';
import type { ShardOf, Shards } from './shards.js';
import { useTwoShards } from './testing/use-two-shards.js';

const { a, b } = useTwoShards();
const NOWHERE = 'postgres://duework@127.0.0.1:1/nowhere';
const paid = defineSignal({ name: 'paid', payload: z.object({ orderId: z.int() }), by: ['orderId'] });
const mail = defineJob({ type: 'mail', payload: z.object({ tenant: z.string(), n: z.int() }) });

beforeEach(async () => {
  for (const { db } of [a, b])
    await db.$executeRaw`WITH k AS (DELETE FROM duework.job_keys), p AS (DELETE FROM duework.pauses), h AS (DELETE FROM duework.job_history) DELETE FROM duework.job_runs`;
});

const open = (shardOf?: ShardOf): Shards =>
  openShards({ shards: { a: a.db, b: b.db }, ...(shardOf === undefined ? {} : { shardOf }) });
/** The tenant is the name of its shard. */
const byTenant: ShardOf = (contract, payload) =>
  contract.payload === mail.payload ? (payload as { tenant: string }).tenant : null;

describe('a job', () => {
  test('goes where shardOf says, and its id finds it there', async () => {
    const shards = open(byTenant);
    const one = await shards.enqueue(mail, { tenant: 'b', n: 1 });
    expect(one.id).toMatch(/^b\.\d+$/);
    const { job } = await shards.getJob(one.id);
    expect(job).toMatchObject({ id: one.id, type: 'mail', payload: { tenant: 'b', n: 1 } });
    expect(await countRuns('a')).toBe(0);
    expect(await shards.cancelJob(one.id)).toBe('cancelled');
    await expect(shards.getJob(one.id.replace('b.', 'a.'))).rejects.toMatchObject({
      code: 'job_not_found',
      facts: { id: one.id.replace('b.', 'a.') },
    });
  });

  test('without a key takes turns where nothing says where it belongs', async () => {
    const shards = open();
    for (let n = 0; n < 4; n++) await shards.enqueue(echo, { n });
    expect([await countRuns('a'), await countRuns('b')]).toEqual([2, 2]);
  });

  test('with a key or an order is refused where nothing says where it belongs, and nothing is written', async () => {
    await expect(open().enqueue(charge, { invoice: 1 })).rejects.toMatchObject({
      code: 'shard_not_given',
      message: expect.stringContaining('a charge with a key or an order'),
    });
    await expect(open().enqueue(echo, { n: 1 }, { idempotencyKey: 'x' })).rejects.toMatchObject({
      code: 'shard_not_given',
    });
    const inOrder = defineJob({ type: 'in_order', payload: z.object({ account: z.int() }), order: 'account' });
    await expect(open().enqueue(inOrder, { account: 1 })).rejects.toMatchObject({ code: 'shard_not_given' });
    await expect(open().signal(paid, { orderId: 1 })).rejects.toMatchObject({ code: 'shard_not_given' });
    expect([await countRuns('a'), await countRuns('b')]).toEqual([0, 0]);
  });

  test('whose payload no contract has checked is refused for that, and not by what shardOf does with it', async () => {
    const reads: ShardOf = (_, payload) => (payload as { tenant: string }).tenant.slice(0, 1);
    for (const payload of [null, undefined, 1, {}, { tenant: 7 }]) {
      const refused = { code: 'invalid_payload' };
      await expect(open(reads).enqueue(mail, payload as never)).rejects.toMatchObject(refused);
      await expect(open(reads).signal(paid, payload as never)).rejects.toMatchObject(refused);
    }
    const fails: ShardOf = () => {
      throw new Error('no table of tenants');
    };
    await expect(open(fails).enqueue(mail, { tenant: 'a', n: 1 })).rejects.toThrow('no table of tenants');
    expect([await countRuns('a'), await countRuns('b')]).toEqual([0, 0]);
  });

  test('is unique within its shard', async () => {
    const shards = open(() => 'a');
    const first = await shards.enqueue(charge, { invoice: 7 });
    const second = await shards.enqueue(charge, { invoice: 7 });
    expect(second).toMatchObject({ id: first.id, isDeduplicated: true });
  });

  test('is written with others in one shard, or not at all', async () => {
    const shards = open(byTenant);
    await expect(
      shards.enqueueMany([jobRequest(mail, { tenant: 'a', n: 1 }), jobRequest(mail, { tenant: 'b', n: 2 })]),
    ).rejects.toMatchObject({ code: 'shards_differ', facts: { shards: ['a', 'b'] } });
    const jobs = await shards.enqueueMany([jobRequest(mail, { tenant: 'b', n: 1 }), jobRequest(echo, { n: 2 })]);
    expect(jobs.map(({ id }) => id[0])).toEqual(['b', 'b']);
  });

  test('of a shard that there is not, or of none, is refused by name', async () => {
    await expect(open().getJob('c.5')).rejects.toMatchObject({ code: 'unknown_shard' });
    await expect(open(() => 'c').enqueue(echo, { n: 1 })).rejects.toMatchObject({ code: 'unknown_shard' });
    await expect(open().getJob('5')).rejects.toMatchObject({ code: 'shard_not_given' });
    const { id } = await enqueue(a.db, echo, { n: 1 });
    const shards = openShards({ shards: { a: a.db, b: b.db }, bareIds: 'a' });
    expect((await shards.getJob(id)).job.id).toBe(`a.${id}`);
  });
});

test('the queue of one shard speaks through a transaction of its database', async () => {
  const shards = open();
  await expect(
    a.db.$transaction(async (tx) => {
      await shards.in('a', tx).enqueue(echo, { n: 1 });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await countRuns('a')).toBe(0);
  const { id } = await a.db.$transaction((tx) => shards.in('a', tx).enqueue(echo, { n: 1 }));
  expect(id).toMatch(/^a\.\d+$/);
});

test('a batch lives in one shard, and its callback is made with the id that names it', async () => {
  const shards = open();
  const { id } = await shards.enqueueBatch({
    jobs: [],
    onSettled: (batchId) => jobRequest(mail, { tenant: batchId, n: 1 }),
  });
  const { callbacks } = await shards.getBatch(id);
  const { job } = await shards.getJob(callbacks.onSettled!);
  expect(job.payload).toEqual({ tenant: id, n: 1 });
  expect((await shards.listBatches({ limit: 1 })).batches).toMatchObject([{ id }]);
});

describe('a list', () => {
  test('is one over all shards, newest first, with no job twice and none missing', async () => {
    const shards = open(byTenant);
    const made: string[] = [];
    for (let n = 0; n < 23; n++) made.push((await shards.enqueue(mail, { tenant: n % 3 === 0 ? 'b' : 'a', n })).id);
    const seen: Job[] = [];
    let cursor: string | undefined;
    do {
      const page = await shards.findJobs({ limit: 4, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.problems).toEqual([]);
      seen.push(...page.jobs);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
    const times = seen.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((x, y) => y - x));
  });

  test('shows no job twice, although others come while it is read', async () => {
    const shards = open(byTenant);
    for (let n = 0; n < 12; n++) await shards.enqueue(mail, { tenant: n % 2 === 0 ? 'a' : 'b', n });
    const db = new Proxy(a.db, {
      get: (client, name) =>
        name === '$queryRaw'
          ? async (...query: [never]) => {
              const rows = await client.$queryRaw(...query);
              await enqueue(client, mail, { tenant: 'a', n: 99 });
              return rows;
            }
          : Reflect.get(client, name),
    });
    const meanwhile = openShards({ shards: { a: db, b: b.db } });
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 4; pages++) {
      const page = await meanwhile.findJobs({ limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.jobs.map(({ id }) => id));
      cursor = page.nextCursor!;
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('is there, although a shard that has a part of it goes away while it is read', async () => {
    const read = async (shard: string, limit: number) => {
      if (limit < 4) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
      return { items: [1, 2, 3, 4].map((n) => ({ shard, n })), nextCursor: `behind 4 of ${shard}` };
    };
    const page = await mergePages<{ readonly n: number }>({
      limit: 4,
      cursor: undefined,
      names: ['a', 'b'],
      ask: new AskShards(1_000),
      read,
      compare: (one, other) => one.n - other.n,
    });
    expect(page.items.map(({ n }) => n)).toEqual([1, 1, 2, 2]);
    // they come again, rather than not at all
    expect(JSON.parse(Buffer.from(page.nextCursor!, 'base64url').toString())).toEqual({ a: true, b: true });
  });

  test('refuses a cursor that it has not given', async () => {
    for (const cursor of ['x', '-5', Buffer.from('{"a":true}').toString('base64url')])
      await expect(open().findJobs({ cursor })).rejects.toMatchObject({ code: 'invalid_cursor' });
  });

  test('names the shard that does not answer, and shows the rest', async () => {
    const away = connectPg({ url: NOWHERE });
    try {
      const shards = openShards({ shards: { a: a.db, c: away } });
      const { id } = await shards.in('a').enqueue(echo, { n: 1 });
      const page = await shards.findJobs();
      expect(page.jobs.map((job) => job.id)).toEqual([id]);
      expect(page.problems).toMatchObject([{ shard: 'c', problem: 'database_unreachable' }]);
      expect((await shards.queueDepth()).problems).toMatchObject([{ shard: 'c' }]);
      await expect(openShards({ shards: { c: away } }).findJobs()).rejects.toMatchObject({ code: 'database_away' });
      // what has a home elsewhere, or any, goes on
      for (let n = 0; n < 3; n++) expect((await shards.enqueue(echo, { n })).id).toMatch(/^a\./);
    } finally {
      await away.$disconnect();
    }
  });

  test('keeps the place of who does not answer, whose part comes as soon as it does', async () => {
    const proxy = await startCuttableProxy(b.url);
    const through = connectPg({ url: proxy.url, connectTimeoutMs: 500 });
    try {
      const shards = openShards({ shards: { a: a.db, b: through }, answerWithinMs: 300 });
      const made: string[] = [];
      for (let n = 0; n < 4; n++) made.push((await shards.in(n % 2 === 0 ? 'a' : 'b').enqueue(echo, { n })).id);
      proxy.cut();
      const first = await shards.findJobs({ limit: 1 });
      expect(first.problems).toMatchObject([{ shard: 'b', problem: 'too_slow' }]);
      // it is not asked again at once, so that nothing piles up behind it
      expect((await shards.findJobs({ limit: 1 })).problems).toMatchObject([{ shard: 'b', problem: 'too_slow' }]);
      const last = await shards.findJobs({ limit: 5 });
      expect({ ...last, jobs: last.jobs.map(({ id }) => id[0]) }).toMatchObject({ jobs: ['a', 'a'], nextCursor: null });
      // through another way to it
      const back = openShards({ shards: { a: a.db, b: b.db } });
      const rest = await back.findJobs({ limit: 5, cursor: first.nextCursor! });
      expect(rest).toMatchObject({ problems: [], nextCursor: null });
      expect([...first.jobs, ...rest.jobs].map(({ id }) => id).toSorted()).toEqual(made.toSorted());
    } finally {
      proxy.stop();
      await through.$disconnect();
    }
  });
});

describe('a pause', () => {
  test('holds in each shard, and is listed with its name', async () => {
    const shards = open();
    await shards.pauseQueue('mail', { by: 'ada' });
    expect((await shards.listPauses()).map(({ shard, name }) => [shard, name])).toEqual([
      ['a', 'mail'],
      ['b', 'mail'],
    ]);
    expect(await shards.resumeQueue('mail')).toMatchObject({ name: 'mail', by: 'ada' });
    expect(await shards.listPauses()).toEqual([]);
  });

  test('that no shard takes is refused as it is by one', async () => {
    await expect(open().pauseQueue('')).rejects.toMatchObject({ code: 'invalid_option' });
  });

  test('says where it does not hold, because a shard is away', async () => {
    const away = connectPg({ url: NOWHERE });
    try {
      const shards: JobQueue = openShards({ shards: { a: a.db, c: away } });
      await expect(shards.pauseQueue('mail')).rejects.toMatchObject({
        code: 'shards_partly_done',
        facts: { done: ['a'], missing: [{ shard: 'c' }] },
      });
    } finally {
      await away.$disconnect();
    }
  });
});

async function countRuns(shard: 'a' | 'b'): Promise<number> {
  const { db } = shard === 'a' ? a : b;
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM duework.job_runs`;
  return row!.count;
}
