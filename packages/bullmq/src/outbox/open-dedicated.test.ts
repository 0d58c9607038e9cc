import { defineJob } from '@duework/contracts';
import { complete, enqueue, jobRequest, type Worker } from '@duework/queue-core';
import { carryForwards, forwardJob, originOf } from '@duework/shards';
import { startTestWorker } from '@duework/testing';
import { charge, echo, untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createBullmqStore } from '../create-bullmq-store.js';
import { openBullmqQueue } from '../open-bullmq-queue.js';
import { bullmqTarget, type BullmqTarget } from './bullmq-target.js';
import { openDedicated, type DedicatedQueue } from './open-dedicated.js';
import { useRedis } from './testing/use-redis.js';

const receipt = defineJob({
  type: 'receipt',
  payload: z.object({ order: z.int() }),
  result: z.object({ sent: z.int() }),
});
const database = useTestDatabase();
const redis = useRedis();
const workers: Worker[] = [];
const targets: BullmqTarget[] = [];
let queue: DedicatedQueue;

beforeAll(() => {
  const dedicated = openBullmqQueue({ connection: redis.redis });
  queue = openDedicated({ db: database.db, dedicated, types: ['receipt', 'charge'] });
});
beforeEach(async () => {
  await database.db.$executeRaw`WITH k AS (DELETE FROM duework.job_keys) DELETE FROM duework.job_runs`;
  await redis.redis.flushall();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  for (const target of targets.splice(0)) target.close();
});

async function carry(): Promise<void> {
  const target = bullmqTarget({ connection: redis.redis });
  targets.push(target);
  const handlers = { duework_forward: carryForwards(await originOf(database.db), { dedicated: target }) };
  workers.push((await startTestWorker(database.db, { catalog: [forwardJob], handlers })).worker);
}

async function workInRedis(): Promise<void> {
  const store = createBullmqStore({ connection: redis.redis });
  const handlers = {
    receipt: async ({ payload }: { payload: { order: number } }) => complete({ sent: payload.order }),
    charge: async () => {},
  };
  workers.push((await startTestWorker(database.db, { store, catalog: [receipt, charge], handlers })).worker);
}

const inTable = async () =>
  (await database.db.$queryRaw<{ job_type: string }[]>`SELECT job_type FROM duework.job_runs ORDER BY id`).map(
    ({ job_type: type }) => type,
  );
const inRedis = async () =>
  (await redis.queue('default').getJobs(['wait', 'prioritized', 'delayed'])).map(({ name }) => name);

describe('in a transaction', () => {
  test('a job of a dedicated type is a forward, and every other one is what it was', async () => {
    await database.db.$transaction(async (tx) => {
      await queue.in(tx).enqueue(receipt, { order: 1 });
      await queue.in(tx).enqueue(echo, { n: 1 });
    });
    expect(await inTable()).toEqual(['duework_forward', 'echo']);
    expect(await inRedis()).toEqual([]);
  });

  test('that is rolled back, nothing is anywhere', async () => {
    await carry();
    await expect(
      database.db.$transaction(async (tx) => {
        await queue.in(tx).enqueue(receipt, { order: 1 });
        await queue.in(tx).enqueue(charge, { invoice: 1 });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    const { id } = await queue.in(database.db).enqueue(receipt, { order: 2 });
    await untilJob(database.db, id, { status: 'succeeded' });
    expect(await inRedis()).toEqual(['receipt']);
  });

  test('what the dedicated queue cannot keep is refused, and the transaction goes on', async () => {
    const rules = {
      unique: { whileIn: 'queue' },
      limits: [{ name: 'smtp', max: 1 }],
      durable: true,
    };
    for (const [name, rule] of Object.entries(rules)) {
      const type = `with_${name.toLowerCase()}`;
      const contract = defineJob({
        type,
        payload: z.object({}),
        idempotencyKey: () => 'k',
        [name]: rule,
      } as never) as typeof receipt;
      const all = openDedicated({ db: database.db, dedicated: queue.dedicated, types: [type] });
      await database.db.$transaction(async (tx) => {
        await expect(all.in(tx).enqueue(contract, {} as never)).rejects.toMatchObject({ code: 'not_supported' });
        await all.in(tx).enqueue(echo, { n: 1 });
      });
      await expect(all.enqueue(contract, {} as never)).rejects.toMatchObject({ code: 'not_supported' });
    }
    expect(new Set(await inTable())).toEqual(new Set(['echo']));
    await expect(queue.in(database.db).enqueue(receipt, { order: 1.5 })).rejects.toMatchObject({
      code: 'invalid_payload',
    });
  });
});

describe('without a transaction', () => {
  test('a job of a dedicated type without a key goes straight to Redis', async () => {
    expect((await queue.enqueue(receipt, { order: 1 })).id).toMatch(/^default:r/);
    expect(await inRedis()).toEqual(['receipt']);
    expect(await inTable()).toEqual([]);
  });

  test('jobs of both kinds are enqueued all or none', async () => {
    const jobs = [jobRequest(receipt, { order: 1 }), jobRequest(echo, { n: 1 }), jobRequest(charge, { invoice: 1 })];
    expect((await queue.enqueueMany(jobs)).map(({ isDeduplicated }) => isDeduplicated)).toEqual([false, false, false]);
    expect(await inTable()).toEqual(['duework_forward', 'echo', 'duework_forward']);
    await expect(queue.enqueueMany([...jobs, jobRequest(echo, { n: 1.5 })])).rejects.toMatchObject({
      code: 'invalid_payload',
    });
    expect(await inTable()).toHaveLength(3);
  });
});

test.each([{ dueworkMovedTo: 'table' }, { sent: 1, 'dw:movedTo': 'table' }, 'table'])(
  'a result that names a job of the table, %j, leads nowhere',
  async (given) => {
    const { id: victim } = await enqueue(database.db, charge, { invoice: 1 }, { delay: '1h' });
    const result = JSON.parse(JSON.stringify(given).replaceAll('table', victim)) as object;
    const fetched = defineJob({ type: 'receipt', payload: z.object({ order: z.int() }), result: z.unknown() });
    const store = createBullmqStore({ connection: redis.redis });
    const handlers = { receipt: async () => complete(result as never) };
    workers.push((await startTestWorker(database.db, { store, catalog: [fetched], handlers })).worker);
    const { id } = await queue.enqueue(receipt, { order: 1 });
    await untilJob(queue.dedicated, id, { status: 'succeeded' });
    expect((await queue.getJob(id)).job).toMatchObject({ id, type: 'receipt', result });
    await expect(queue.cancelJob(id)).rejects.toMatchObject({ code: 'transition_not_allowed' });
    expect((await queue.getJob(victim)).job).toMatchObject({ status: 'queued', cancelRequestedAt: null });
  },
);

describe('an idempotency key', () => {
  test('that the table has from before the type was switched is answered with that run, and nothing is forwarded', async () => {
    const before = await enqueue(database.db, charge, { invoice: 1 });
    const after = await database.db.$transaction((tx) => queue.in(tx).enqueue(charge, { invoice: 1 }));
    expect(after).toMatchObject({ id: before.id, isDeduplicated: true, type: 'charge' });
    expect(await queue.enqueue(charge, { invoice: 1 })).toMatchObject({ id: before.id, isDeduplicated: true });
    expect(await inTable()).toEqual(['charge']);
  });

  test('of a forward is one that a program knows which has not been switched yet', async () => {
    const after = await queue.enqueue(charge, { invoice: 1 });
    expect(await enqueue(database.db, charge, { invoice: 1 })).toMatchObject({ id: after.id, isDeduplicated: true });
    await carry();
    await untilJob(database.db, after.id, { status: 'succeeded' });
    expect(await enqueue(database.db, charge, { invoice: 1 })).toMatchObject({ id: after.id, isDeduplicated: true });
    expect(await inRedis()).toEqual(['charge']);
    expect(await inTable()).toEqual([]);
  });

  test('that programs of both kinds enqueue at the same time makes one job', async () => {
    const both = [
      () => enqueue(database.db, charge, { invoice: 7 }),
      () => queue.enqueue(charge, { invoice: 7 }),
      () => database.db.$transaction((tx) => queue.in(tx).enqueue(charge, { invoice: 7 })),
    ];
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => both[n % 3]!()));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ isDeduplicated }) => !isDeduplicated)).toHaveLength(1);
    expect(await inTable()).toHaveLength(1);
  });

  test('of a forward that is cancelled can be freed, as that of any job', async () => {
    const { id } = await queue.enqueue(charge, { invoice: 1 });
    await queue.cancelJob(id);
    expect(await queue.enqueue(charge, { invoice: 1 })).toMatchObject({ id, isDeduplicated: true });
    expect(await queue.freeKey(id)).toBe(true);
    expect(await queue.enqueue(charge, { invoice: 1 })).toMatchObject({ isDeduplicated: false });
  });

  test('tells whether the payload that it has is another one', async () => {
    const contract = defineJob({ type: 'receipt', payload: z.object({ order: z.int() }) });
    const given = { idempotencyKey: 'k' };
    await queue.enqueue(contract, { order: 1 }, given);
    expect(await queue.enqueue(contract, { order: 1 }, given)).toMatchObject({ payloadDiffers: false });
    expect(await queue.enqueue(contract, { order: 2 }, given)).toMatchObject({ payloadDiffers: true });
  });
});

describe('the id of a forward', () => {
  test('is that of the job which it has become, for all that is asked about one job', async () => {
    await carry();
    await workInRedis();
    const { id } = await database.db.$transaction((tx) => queue.in(tx).enqueue(receipt, { order: 5 }));
    expect(await queue.result(receipt, id, { wait: '5s' })).toEqual({ sent: 5 });
    const { job } = await queue.getJob(id);
    expect(job).toMatchObject({ type: 'receipt', status: 'succeeded', payload: { order: 5 } });
    expect((await queue.getJob(job.id)).job).toEqual(job);
  });

  test('cancels it where it is: in the table, or in Redis', async () => {
    const first = await database.db.$transaction((tx) => queue.in(tx).enqueue(receipt, { order: 1 }));
    expect(await queue.cancelJob(first.id)).toBe('cancelled');
    await carry();
    const second = await database.db.$transaction((tx) => queue.in(tx).enqueue(receipt, { order: 2 }, { delay: '1h' }));
    await untilJob(database.db, second.id, { status: 'succeeded' });
    expect(await queue.cancelJob(second.id)).toBe('cancelled');
    expect((await queue.getJob(second.id)).job).toMatchObject({ type: 'receipt', status: 'cancelled' });
    expect(await inRedis()).toEqual([]);
  });
});
