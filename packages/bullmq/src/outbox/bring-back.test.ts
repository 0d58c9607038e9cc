import { defineJob, fixed } from '@duework/contracts';
import { enqueue, getJob, jobRequest, type Worker } from '@duework/queue-core';
import { carryForwards, forwardJob, forwardWaiting, originOf } from '@duework/shards';
import { startTestWorker } from '@duework/testing';
import { charge, echo, untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createBullmqStore } from '../create-bullmq-store.js';
import { openBullmqQueue } from '../open-bullmq-queue.js';
import { bringBack, type BroughtBack } from './bring-back.js';
import { bullmqTarget, type BullmqTarget } from './bullmq-target.js';
import { openDedicated, type DedicatedQueue } from './open-dedicated.js';
import { useRedis } from './testing/use-redis.js';

const database = useTestDatabase();
const redis = useRedis();
const workers: Worker[] = [];
const targets: BullmqTarget[] = [];
let queue: DedicatedQueue;

beforeAll(() => {
  const dedicated = openBullmqQueue({ connection: redis.redis });
  queue = openDedicated({ db: database.db, dedicated, types: ['echo', 'charge'] });
});
beforeEach(async () => {
  await database.db
    .$executeRaw`WITH k AS (DELETE FROM duework.job_keys), c AS (DELETE FROM duework.carried_jobs) DELETE FROM duework.job_runs`;
  await redis.redis.flushall();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  for (const target of targets.splice(0)) target.close();
});

const back = (contract: Parameters<typeof bringBack>[0]['contract'] = echo): Promise<BroughtBack> =>
  bringBack({ db: database.db, connection: redis.redis, contract });
const waiting = () => redis.queue('default').getJobs(['wait', 'prioritized', 'delayed']);
const inTable = async () =>
  (await database.db.$queryRaw<{ job_type: string }[]>`SELECT job_type FROM duework.job_runs ORDER BY id`).map(
    ({ job_type: type }) => type,
  );

async function carry(): Promise<BullmqTarget> {
  const target = bullmqTarget({ connection: redis.redis });
  targets.push(target);
  const handlers = { duework_forward: carryForwards(await originOf(database.db), { dedicated: target }) };
  workers.push((await startTestWorker(database.db, { catalog: [forwardJob], handlers })).worker);
  return target;
}

test('what waits in Redis comes back as it was, and is found under the id that it had', async () => {
  const runAt = new Date('2050-01-01T00:00:00Z');
  const given = { runAt, priority: 2, maxAttempts: 7, meta: { trace: 'x' } };
  const one = await queue.dedicated.enqueue(echo, { n: 1 }, given);
  const due = await queue.dedicated.enqueue(echo, { n: 2 });
  await queue.dedicated.enqueue(charge, { invoice: 1 });
  expect(await back()).toEqual({ brought: 2, left: 0 });
  expect(await inTable()).toEqual(['echo', 'echo']);
  const { job } = await queue.getJob(one.id);
  expect(job).toMatchObject({ id: expect.stringMatching(/^\d+$/), payload: { n: 1 }, status: 'queued', ...given });
  expect((await queue.getJob(due.id)).job).toMatchObject({ payload: { n: 2 }, status: 'queued' });
  expect((await waiting()).map(({ name }) => name)).toEqual(['charge']);
  expect(await back()).toEqual({ brought: 0, left: 0 });
});

test('what was agreed for it comes along, there and back', async () => {
  const late = defineJob({
    type: 'late',
    payload: z.object({ n: z.int() }),
    idempotencyKey: ({ n }) => `late ${n}`,
    expiresAfter: '1h',
    onDead: 'charge',
    retryFor: '2h',
  });
  const all = openDedicated({ db: database.db, dedicated: queue.dedicated, types: ['late'] });
  await carry();
  const { id } = await all.enqueue(late, { n: 1 }, { delay: '1h' });
  while ((await database.db.jobRun.count()) > 0);
  const { job: there } = await all.getJob(id);
  expect(there.expiresAt!.getTime() - there.runAt.getTime()).toBe(3_600_000);
  expect(await back(late)).toEqual({ brought: 1, left: 0 });
  const { job: here } = await all.getJob(id);
  expect(here.id).toMatch(/^\d+$/);
  expect(here).toMatchObject({ runAt: there.runAt, expiresAt: there.expiresAt, retryUntil: there.retryUntil });
});

test('one that runs is left alone; one that has failed comes with the attempts that it has left', async () => {
  const flaky = defineJob({ type: 'flaky', payload: z.object({ n: z.int() }), retry: fixed('1h') });
  let end = (): void => {};
  const { worker } = await startTestWorker(database.db, {
    store: createBullmqStore({ connection: redis.redis }),
    catalog: [flaky],
    handlers: {
      async flaky({ payload }) {
        if (payload.n === 2) throw new Error('no');
        await new Promise<void>((resolve) => (end = resolve));
      },
    },
  });
  workers.push(worker);
  const running = await queue.dedicated.enqueue(flaky, { n: 1 });
  await untilJob(queue.dedicated, running.id, { status: 'running' });
  const failed = await queue.dedicated.enqueue(flaky, { n: 2 }, { maxAttempts: 5 });
  const { runAt } = await untilJob(queue.dedicated, failed.id, { status: 'failed' });
  expect(await back(flaky)).toEqual({ brought: 1, left: 0 });
  expect((await queue.getJob(failed.id)).job).toMatchObject({ maxAttempts: 4, attempts: 0, runAt });
  end();
  await untilJob(queue.dedicated, running.id, { status: 'succeeded' });
});

test('one that has begun an effect stays: only Redis knows what it did', async () => {
  const { worker } = await startTestWorker(database.db, {
    store: createBullmqStore({ connection: redis.redis }),
    catalog: [charge],
    handlers: {
      async charge({ once, payload }) {
        if (payload.invoice === 1) await once('charge', async () => null);
        throw new Error('no');
      },
    },
  });
  workers.push(worker);
  for (const invoice of [1, 2]) {
    const { id } = await queue.dedicated.enqueue(charge, { invoice });
    await untilJob(queue.dedicated, id, { status: 'failed' });
  }
  expect(await back(charge)).toEqual({ brought: 1, left: 1 });
});

test('a key comes along: whoever enqueues with it, here or there, finds the job', async () => {
  await carry();
  const sent = await queue.enqueue(charge, { invoice: 1 });
  await untilJob(database.db, sent.id, { status: 'succeeded' });
  const straight = await queue.dedicated.enqueue(charge, { invoice: 2 });
  expect(await back(charge)).toEqual({ brought: 2, left: 0 });
  const { job } = await queue.getJob(sent.id);
  expect(job).toMatchObject({ type: 'charge', status: 'queued', idempotencyKey: 'charge:1' });
  expect(await enqueue(database.db, charge, { invoice: 1 })).toMatchObject({ id: job.id, isDeduplicated: true });
  expect(await queue.enqueue(charge, { invoice: 1 })).toMatchObject({ id: job.id, isDeduplicated: true });
  expect(await queue.dedicated.enqueue(charge, { invoice: 2 })).toMatchObject({
    id: straight.id,
    isDeduplicated: true,
  });
  expect(await inTable()).toEqual(['charge', 'charge']);
});

test('a job with a key goes there again after it has come back, under the same key', async () => {
  await carry();
  await queue.enqueue(charge, { invoice: 1 });
  for (let times = 0; times < 3; times++) {
    while ((await database.db.jobRun.count()) > 0);
    expect(await back(charge)).toEqual({ brought: 1, left: 0 });
    expect(await inTable()).toEqual(['charge']);
    expect(await forwardWaiting(database.db, 'dedicated', charge)).toEqual({ forwarded: 1, left: 0 });
  }
  while ((await database.db.jobRun.count()) > 0);
  expect(await queue.enqueue(charge, { invoice: 1 })).toMatchObject({ isDeduplicated: true });
});

test('a job whose key the table has given to another one meanwhile is that one', async () => {
  await queue.dedicated.enqueue(charge, { invoice: 1 });
  const here = await enqueue(database.db, charge, { invoice: 1 });
  await back(charge);
  expect(await inTable()).toEqual(['charge']);
  expect((await getJob(database.db, here.id)).job.status).toBe('queued');
});

test('a forward that is carried again after its job has come back makes no second one', async () => {
  const target = await carry();
  const { id } = await database.db.$transaction((tx) => queue.in(tx).enqueue(echo, { n: 1 }));
  await untilJob(database.db, id, { status: 'succeeded' });
  await back();
  const { job } = await getJob(database.db, id);
  const { run } = job.payload as never as { run: never };
  const again = { id, run, createdAtMs: job.createdAt.getTime() };
  expect(await target.carry(await originOf(database.db), [again])).toEqual([job.result]);
  expect(await waiting()).toEqual([]);
  expect(await inTable()).toEqual(['echo']);
});

test('what PostgreSQL cannot store stays, and does not hold up the rest', async () => {
  const any = defineJob({ type: 'anything', payload: z.object({ text: z.string() }) });
  await redis.queue('default').add('anything', { text: 'a\0b' });
  await redis.queue('default').add('anything', { text: '\ud800' });
  await redis.queue('default').add('anything', { text: '\\u0000 é 😀' });
  expect(await back(any)).toEqual({ brought: 1, left: 2 });
  const [run] = await database.db.$queryRaw<{ payload: unknown }[]>`SELECT payload FROM duework.job_runs`;
  expect(run).toEqual({ payload: { text: '\\u0000 é 😀' } });
  expect(await waiting()).toHaveLength(2);
});

test('many come back, each once, also where several bring them at the same time', async () => {
  await queue.dedicated.enqueueMany(Array.from({ length: 1_000 }, (_, n) => jobRequest(echo, { n })));
  const answers = await Promise.all([back(), back(), back()]);
  expect(answers.reduce((sum, { brought }) => sum + brought, 0)).toBeGreaterThanOrEqual(1_000);
  const rows = await database.db.$queryRaw<{ n: number }[]>`SELECT (payload -> 'n')::int AS n FROM duework.job_runs`;
  expect(rows.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
});
