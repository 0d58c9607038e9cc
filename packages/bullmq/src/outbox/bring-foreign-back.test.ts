import { once } from 'node:events';
import { defineJob } from '@duework/contracts';
import { enqueue } from '@duework/queue-core';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { FlowProducer, Worker as BullmqWorker, type Job, type Queue } from 'bullmq';
import { z } from 'zod';
import { bringBack, type BroughtBack } from './bring-back.js';
import { useRedis } from './testing/use-redis.js';

const database = useTestDatabase();
const redis = useRedis();
const HOUR_MS = 3_600_000;
const payload = z.object({ invoice: z.int() });
const mail = defineJob({ type: 'send-mail', queue: 'mail', payload });
const keyed = defineJob({
  type: 'charge',
  queue: 'mail',
  payload,
  idempotencyKey: ({ invoice }) => `charge ${invoice}`,
});
const limited = defineJob({ type: 'call', queue: 'mail', payload, limits: [{ max: 1 }] });

const old = (): Queue => redis.queue('mail', { prefix: 'bull' });
const back = (contract: Parameters<typeof bringBack>[0]['contract'] = mail): Promise<BroughtBack> =>
  bringBack({ db: database.db, connection: redis.redis, prefix: 'bull', contract });
const inTable = async () =>
  database.db.$queryRaw<{ invoice: number; runAt: Date; key: string | null; gates: string[] | null }[]>`
    SELECT (payload -> 'invoice')::integer AS invoice, run_at AS "runAt", idempotency_key AS key, gates
    FROM duework.job_runs ORDER BY 1`;

beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_history, job_attempts, job_keys');
  await redis.redis.flushall();
});

test('a job with a delay comes with the moment that it waits for, also after its delay was changed', async () => {
  const first = await old().add('send-mail', { invoice: 1 }, { delay: HOUR_MS });
  const second = await old().add('send-mail', { invoice: 2 }, { delay: HOUR_MS });
  const before = Date.now();
  await second.changeDelay(2 * HOUR_MS);
  await old().add('send-mail', { invoice: 3 });
  expect(await back()).toEqual({ brought: 3, left: 0 });
  const [one, two, three] = await inTable();
  expect(one!.runAt.getTime()).toBe(first.timestamp + HOUR_MS);
  expect(two!.runAt.getTime()).toBeGreaterThanOrEqual(before + 2 * HOUR_MS);
  expect(three!.runAt.getTime()).toBeLessThanOrEqual(Date.now());
});

test("the next job of one of BullMQ's schedulers stays there, and so do the children of a flow", async () => {
  await old().upsertJobScheduler('nightly', { pattern: '0 3 * * *' }, { name: 'send-mail', data: { invoice: 1 } });
  const connection = redis.server.connect();
  const flows = new FlowProducer({ connection, prefix: 'bull' });
  const child = { name: 'send-mail', queueName: 'mail', data: { invoice: 2 } };
  await flows.add({ name: 'sum', queueName: 'sums', children: [child] });
  await flows.close();
  connection.disconnect();
  expect(await back()).toEqual({ brought: 0, left: 1 });
  expect(await inTable()).toEqual([]);
  expect(await old().getJobCounts('delayed', 'wait')).toEqual({ delayed: 1, wait: 1 });
});

test('a call that found no database is gone on with by the next, also beside a scheduler', async () => {
  await old().upsertJobScheduler('nightly', { pattern: '0 3 * * *' }, { name: 'send-mail', data: { invoice: 1 } });
  await old().add('send-mail', { invoice: 2 }, { jobId: 'a:b:c' });
  const late = await old().add('send-mail', { invoice: 3 }, { delay: HOUR_MS });
  const away = { ...database.db, $transaction: () => Promise.reject(new Error('away')) } as never;
  const options = { connection: redis.redis, prefix: 'bull', contract: mail } as const;
  await expect(bringBack({ ...options, db: away })).rejects.toThrow('away');
  expect(await back()).toEqual({ brought: 2, left: 0 });
  expect(await inTable()).toMatchObject([{ invoice: 2 }, { invoice: 3, runAt: new Date(late.timestamp + HOUR_MS) }]);
  expect(await back()).toEqual({ brought: 0, left: 0 });
});

test('the id that a program has chosen is the key, so that the same job enqueued again is that one', async () => {
  await old().add('send-mail', { invoice: 1 }, { jobId: 'inv-1' });
  await old().add('send-mail', { invoice: 2 });
  await back();
  expect(await inTable()).toMatchObject([
    { invoice: 1, key: 'inv-1' },
    { invoice: 2, key: null },
  ]);
  expect(await enqueue(database.db, mail, { invoice: 1 }, { idempotencyKey: 'inv-1' })).toMatchObject({
    isDeduplicated: true,
  });
});

test("a job of another program is known by what is in it, and not by an id that looks like one of Duework's", async () => {
  const added = await old().add('call', { invoice: 1 }, { jobId: 'file-1', delay: HOUR_MS });
  const before = Date.now();
  await added.changeDelay(2 * HOUR_MS);
  await old().add('call', { invoice: 2 }, { jobId: 'file-2' });
  expect(await back(limited)).toEqual({ brought: 2, left: 0 });
  const [one, two] = await inTable();
  expect(one).toMatchObject({ key: 'file-1', gates: ['limit/call'] });
  expect(one!.runAt.getTime()).toBeGreaterThanOrEqual(before + 2 * HOUR_MS);
  expect(two).toMatchObject({ key: 'file-2', gates: ['limit/call'] });
});

test('a contract with a key or a limit of its own gives it to what comes', async () => {
  await old().add('charge', { invoice: 1 }, { jobId: 'inv-1' });
  await old().add('charge', { invoice: -0.5 }, { jobId: 'not-readable' });
  await old().add('call', { invoice: 3 });
  await back(keyed);
  await back(limited);
  expect(await inTable()).toMatchObject([
    { key: 'not-readable' },
    { invoice: 1, key: 'charge 1' },
    { invoice: 3, gates: ['limit/call'] },
  ]);
  expect(await enqueue(database.db, keyed, { invoice: 1 })).toMatchObject({ isDeduplicated: true });
});

test('what waits in a queue that an older BullMQ has paused comes, too', async () => {
  const job = await old().add('send-mail', { invoice: 1 });
  await redis.redis.rename('bull:mail:wait', 'bull:mail:paused');
  expect(await back()).toEqual({ brought: 1, left: 0 });
  expect(await (await old().getJob(job.id!))!.getState()).toBe('completed');
});

test.each(['refuse', 'earliest', 'cancel_running'] as const)(
  'a second job of a key keeps no others on their way, where its contract says %s',
  async (onConflict) => {
    const one = defineJob({
      type: 'one',
      queue: 'mail',
      payload,
      unique: { by: ({ invoice }) => `${invoice}`, onConflict },
    });
    for (const invoice of [7, 7, 8]) await old().add('one', { invoice, at: invoice });
    expect(await back(one)).toEqual({ brought: 3, left: 0 });
    expect(await inTable()).toMatchObject([{ invoice: 7 }, { invoice: 8 }]);
    expect(await back(one)).toEqual({ brought: 0, left: 0 });
  },
);

/** Runs what waits in the queue until it has failed for good. */
async function failAll(): Promise<void> {
  const connection = redis.server.connect();
  const fail = (job: Job): Promise<never> => Promise.reject(new TypeError(`no. ${job.attemptsMade + 1} broke`));
  const worker = new BullmqWorker('mail', fail, { connection, prefix: 'bull' });
  const drained = new Promise<void>((resolve) => worker.on('drained', () => resolve()));
  while ((await old().count()) > 0) await Promise.race([drained, once(worker, 'failed')]);
  await worker.close();
  connection.disconnect();
}
const dead = async () =>
  database.db.$queryRaw<{ id: bigint; payload: object; attempts: number; finished_at: Date; stacks: string[] }[]>`
    SELECT h.id, h.payload, h.attempts, h.max_attempts, h.finished_at, h.created_at, h.error_type, h.last_error,
      h.error_code, (SELECT array_agg(a.error_stack ORDER BY a.attempt) FROM duework.job_attempts AS a
      WHERE a.run_id = h.id) AS stacks
    FROM duework.job_history_dead AS h ORDER BY h.payload ->> 'invoice'`;

test('what has failed for good comes dead, with its attempts, its errors and its moment; and once, if a call was killed', async () => {
  const job = await old().add('send-mail', { invoice: 1 }, { jobId: 'inv-1', attempts: 2 });
  await failAll();
  const { finishedOn } = (await old().getJob(job.id!))!;
  const away = { ...database.db, $transaction: () => Promise.reject(new Error('away')) } as never;
  const options = { connection: redis.redis, prefix: 'bull', contract: mail, failed: true } as const;
  await expect(bringBack({ ...options, db: away })).rejects.toThrow('away');
  await expect(old().getJobCounts('failed')).resolves.toEqual({ failed: 0 });
  expect(await bringBack({ ...options, db: database.db })).toEqual({ brought: 1, left: 0 });
  expect(await bringBack({ ...options, db: database.db })).toEqual({ brought: 0, left: 0 });
  const [one, ...more] = await dead();
  expect(more).toEqual([]);
  expect(one).toMatchObject({
    payload: { invoice: 1 },
    attempts: 2,
    max_attempts: 2,
    finished_at: new Date(finishedOn!),
    created_at: new Date(job.timestamp),
    error_code: 'failed_before_move',
    error_type: 'TypeError',
    last_error: 'no. 2 broke',
    stacks: [
      expect.stringMatching(/^TypeError: no. 1 broke\n +at /),
      expect.stringMatching(/^TypeError: no. 2 broke\n/),
    ],
  });
  expect(await inTable()).toEqual([]);
});

test('a job that waits for a retry has the attempts left that BullMQ has left it', async () => {
  await old().add('send-mail', { invoice: 1 }, { attempts: 5, backoff: { type: 'fixed', delay: HOUR_MS } });
  const connection = redis.server.connect();
  const worker = new BullmqWorker('mail', () => Promise.reject(new Error('no')), { connection, prefix: 'bull' });
  await once(worker, 'failed');
  await worker.close();
  connection.disconnect();
  await back();
  expect(await database.db.$queryRaw`SELECT max_attempts FROM duework.job_runs`).toEqual([{ max_attempts: 4 }]);
});
