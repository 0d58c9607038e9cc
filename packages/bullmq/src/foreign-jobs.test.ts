import { defineJob, fixed } from '@duework/contracts';
import { complete, type Worker } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Worker as BullWorker, type JobsOptions, type Queue } from 'bullmq';
import { z } from 'zod';
import { createBullmqStore } from './create-bullmq-store.js';
import { openBullmqQueue } from './open-bullmq-queue.js';
import { useRedis } from './outbox/testing/use-redis.js';

const database = useTestDatabase();
const redis = useRedis();
const workers: Worker[] = [];
/** As the old application has it. */
const old = (): Queue => redis.queue('mail', { prefix: 'bull' });
const ours = () => openBullmqQueue({ connection: redis.redis, prefix: 'bull' });

const mail = defineJob({
  type: 'send-mail',
  queue: 'mail',
  payload: z.object({ to: z.email(), subject: z.string().default('Hello') }),
  result: z.object({ sent: z.email() }),
  retry: fixed('1ms'),
});

beforeEach(() => redis.redis.flushall());
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

async function work(sent: string[] = [], fails = 0): Promise<void> {
  let failed = 0;
  const { worker } = await startTestWorker(database.db, {
    store: createBullmqStore({ connection: redis.redis, prefix: 'bull' }),
    catalog: [mail],
    queues: ['mail'],
    handlers: {
      'send-mail': async ({ payload }) => {
        if (failed++ < fails) throw new Error('no');
        sent.push(`${payload.subject} ${payload.to}`);
        return complete({ sent: payload.to });
      },
    },
  });
  workers.push(worker);
}

test('jobs of an old application run once a contract names their type, whatever options they were added with', async () => {
  const jobs = [
    await old().add('send-mail', { to: 'a@example.com' }),
    await old().add('send-mail', { to: 'b@example.com', subject: 'Hi' }, { priority: 10, removeOnComplete: 1_000 }),
    await old().add('send-mail', { to: 'c@example.com' }, { jobId: 'order-17', lifo: true }),
    await old().add('send-mail', { to: 'd@example.com' }, { delay: 50, attempts: 5, backoff: 1_000 }),
  ];
  const sent: string[] = [];
  await work(sent);
  for (const { id } of jobs) {
    const job = await untilJob(ours(), `mail:${id}`, { status: 'succeeded' });
    expect(job).toMatchObject({ type: 'send-mail', version: 1, queue: 'mail', attempts: 1 });
  }
  expect(sent.toSorted()).toEqual([
    'Hello a@example.com',
    'Hello c@example.com',
    'Hello d@example.com',
    'Hi b@example.com',
  ]);
  expect(await ours().result(mail, `mail:${jobs[0]!.id}`)).toEqual({ sent: 'a@example.com' });
});

test('what the old application awaits and shows is there for it, too', async () => {
  const job = await old().add('send-mail', { to: 'a@example.com' });
  await work();
  await untilJob(ours(), `mail:${job.id}`, { status: 'succeeded' });
  const seen = await old().getJob(job.id!);
  expect(await seen!.getState()).toBe('completed');
  expect(seen!.returnvalue).toEqual({ sent: 'a@example.com' });
});

test('a job has as many attempts as it was added with', async () => {
  const often = await old().add('send-mail', { to: 'a@example.com' }, { attempts: 3 });
  await work([], 2);
  expect(await untilJob(ours(), `mail:${often.id}`, { status: 'succeeded' })).toMatchObject({
    attempts: 3,
    maxAttempts: 3,
  });
});

test('data that the contract refuses ends dead with invalid_payload, and is kept', async () => {
  const bad = await old().add('send-mail', { to: 'nobody' });
  const none = await old().add('send-mail', undefined as never);
  await work();
  for (const { id, data } of [bad, none]) {
    const job = await untilJob(ours(), `mail:${id}`, { status: 'dead' });
    expect(job).toMatchObject({ errorCode: 'invalid_payload', payload: data ?? {} });
    const seen = await old().getJob(id!);
    expect(await seen!.getState()).toBe('failed');
    expect(seen!.data).toEqual(data ?? {});
  }
});

test('jobs of types that no contract names stay for whoever reads them', async () => {
  const other = await old().add('print', { page: 1 });
  const known = await old().add('send-mail', { to: 'a@example.com' });
  await work();
  await untilJob(ours(), `mail:${known.id}`, { status: 'succeeded' });
  // a claim looks at it, and gives it back
  let state = 'active';
  while (state === 'active') state = await (await old().getJob(other.id!))!.getState();
  expect(['waiting', 'delayed', 'prioritized']).toContain(state);
  expect((await ours().getJob(`mail:${other.id}`)).job).toMatchObject({ status: 'queued', attempts: 0 });
});

test('the jobs of a scheduler stay for a worker of BullMQ, which makes the next one, and are pruned with the others', async () => {
  await old().upsertJobScheduler('every', { every: 3_600_000 }, { name: 'send-mail', data: { to: 'a@example.com' } });
  const [made] = await old().getJobs(['wait', 'prioritized', 'delayed']);
  await made!.promote().catch(() => {});
  const ordinary = await old().add('send-mail', { to: 'b@example.com' });
  await work();
  await untilJob(ours(), `mail:${ordinary.id}`, { status: 'succeeded' });
  expect(await made!.getState()).not.toBe('completed');
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  const connection = redis.server.connect();
  const theirs = new BullWorker('mail', async () => {}, { connection, prefix: 'bull' });
  await new Promise((resolve) => theirs.once('completed', resolve));
  await theirs.close();
  connection.disconnect();
  const store = createBullmqStore({ connection: redis.redis, prefix: 'bull' });
  await store.prune({ keepDays: -1, keepDeadDays: -1 });
  expect(await old().getJobs(['completed'])).toEqual([]);
  expect(await old().getJobs(['delayed'])).toHaveLength(1);
});

test('an id may be any that BullMQ takes', async () => {
  const { id } = await old().add('send-mail', { to: 'a@example.com' }, { jobId: 'Öre 17/é@x' });
  await work();
  await untilJob(ours(), `mail:${id}`, { status: 'succeeded' });
  expect((await ours().findJobs({ queue: 'mail' })).jobs).toMatchObject([{ id: `mail:${id}`, type: 'send-mail' }]);
});

test('an id with colons is an id', async () => {
  const { id } = await old().add('send-mail', { to: 'a@example.com' }, { jobId: 'a:b:c' });
  await work();
  await untilJob(ours(), `mail:${id}`, { status: 'succeeded' });
});

test('a job is due when BullMQ says so, also after its delay was changed', async () => {
  const job = await old().add('send-mail', { to: 'a@example.com' }, { delay: 3_600_000 });
  const runAt = async () => (await ours().getJob(`mail:${job.id}`)).job.runAt.getTime();
  expect(await runAt()).toBe(job.timestamp + 3_600_000);
  const before = Date.now();
  await job.changeDelay(7_200_000);
  expect(await runAt()).toBeGreaterThanOrEqual(before + 7_200_000);
  await job.promote();
  expect(await runAt()).toBeLessThanOrEqual(Date.now());
});

describe('a job that is over stays as long as its own options say', () => {
  const add = (jobId: string, options: JobsOptions, to = 'a@example.com') =>
    old().add('send-mail', { to }, { jobId, ...options });
  const untilGone = async (id: string): Promise<void> => {
    while ((await old().getJob(id)) !== undefined);
  };

  test('one that leaves at once can be added again under its id', async () => {
    const sent: string[] = [];
    await work(sent);
    for (let times = 1; times <= 3; times++) {
      await add('sync-7', { removeOnComplete: true });
      await untilGone('sync-7');
      expect(sent).toHaveLength(times);
    }
    await add('bad', { removeOnFail: true }, 'nobody');
    await untilGone('bad');
  });

  test('all but the last so many leave, and none that Duework has added', async () => {
    const own = await ours().enqueue(mail, { to: 'own@example.com' });
    await work();
    await untilJob(ours(), own.id, { status: 'succeeded' });
    for (const id of ['one', 'two', 'three']) {
      await add(id, { removeOnComplete: 2 });
      await untilJob(ours(), `mail:${id}`, { status: 'succeeded' });
    }
    await untilGone('one');
    expect(await old().getJobs(['completed'])).toHaveLength(3);
    expect((await ours().getJob(own.id)).job.status).toBe('succeeded');
  });

  test('what is older than an age leaves with the next that ends', async () => {
    await work();
    await add('old', { removeOnComplete: { age: 3_600 } });
    await untilJob(ours(), 'mail:old', { status: 'succeeded' });
    await redis.redis.zadd('bull::completed-of-others:mail', Date.now() - 3_700_000, 'mail:old');
    await add('new', { removeOnComplete: { age: 3_600 } });
    await untilGone('old');
    expect(await old().getJob('new')).toBeDefined();
  });
});
