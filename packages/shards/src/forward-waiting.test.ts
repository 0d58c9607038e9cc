import { defineJob } from '@duework/contracts';
import { enqueue, enqueueBatch, getJob, jobRequest, type Worker } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { charge, echo, untilJob } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { carryForwards } from './carry-forwards.js';
import { forwardJob } from './forward-contract.js';
import { forwardWaiting } from './forward-waiting.js';
import { useTwoShards } from './testing/use-two-shards.js';

const { a, b } = useTwoShards();
const workers: Worker[] = [];
const payload = z.object({ n: z.int() });
const inLine = defineJob({ type: 'in_line', payload, limits: [{ name: 'smtp', max: 1 }] });
const late = defineJob({
  type: 'late',
  payload,
  expiresAfter: '1h',
  onExpired: 'echo',
  onDead: 'charge',
  retryFor: '2h',
});

beforeEach(async () => {
  for (const { db } of [a, b])
    await db.$executeRaw`WITH k AS (DELETE FROM duework.job_keys), c AS (DELETE FROM duework.carried_jobs) DELETE FROM duework.job_runs`;
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

async function carry(): Promise<void> {
  const handlers = { duework_forward: carryForwards('a', { b: b.db }) };
  workers.push((await startTestWorker(a.db, { catalog: [forwardJob], handlers })).worker);
}

/** The job that the forward of that id has become. */
async function jobOf(id: string) {
  const { result } = await untilJob(a.db, id, { status: 'succeeded' });
  return (await getJob(b.db, (result as { id: string }).id.slice(2))).job;
}

test('what waits of a type moves, and what is known of it is known of what it has become', async () => {
  const runAt = new Date('2050-01-01T00:00:00Z');
  const one = await enqueue(a.db, echo, { n: 1 }, { runAt, priority: 2, maxAttempts: 7, meta: { trace: 'x' } });
  const other = await enqueue(a.db, charge, { invoice: 1 });
  expect(await forwardWaiting(a.db, 'b', echo)).toEqual({ forwarded: 1, left: 0 });
  await carry();
  expect(await jobOf(one.id)).toMatchObject({
    payload: { n: 1 },
    runAt,
    priority: 2,
    maxAttempts: 7,
    meta: { trace: 'x' },
  });
  expect((await getJob(a.db, other.id)).job.type).toBe('charge');
});

test('its idempotency key stays taken where it was, and goes along', async () => {
  const { id } = await enqueue(a.db, charge, { invoice: 1 });
  await forwardWaiting(a.db, 'b', charge);
  await carry();
  expect((await jobOf(id)).type).toBe('charge');
  expect(await enqueue(a.db, charge, { invoice: 1 })).toMatchObject({ id, isDeduplicated: true, status: 'succeeded' });
  expect(await enqueue(b.db, charge, { invoice: 1 })).toMatchObject({ isDeduplicated: true });
});

test('one that runs, and one to which something here is tied, are left alone', async () => {
  let end = (): void => {};
  const { worker } = await startTestWorker(a.db, {
    catalog: [echo],
    handlers: { echo: () => new Promise<void>((resolve) => (end = resolve)) },
  });
  workers.push(worker);
  const running = await enqueue(a.db, echo, { n: 1 });
  await untilJob(a.db, running.id, { status: 'running' });
  expect(await forwardWaiting(a.db, 'b', echo)).toEqual({ forwarded: 0, left: 0 });
  end();
  await untilJob(a.db, running.id, { status: 'succeeded' });
  const tied = await enqueue(a.db, inLine, { n: 1 });
  expect(await forwardWaiting(a.db, 'b', inLine)).toEqual({ forwarded: 0, left: 1 });
  expect((await getJob(a.db, tied.id)).job.type).toBe('in_line');
  const { jobs } = await enqueueBatch(a.db, { jobs: [jobRequest(charge, { invoice: 1 })] });
  expect(await forwardWaiting(a.db, 'b', charge)).toEqual({ forwarded: 0, left: 1 });
  expect((await getJob(a.db, jobs[0]!.id)).job.type).toBe('charge');
});

test('what was agreed for it goes along', async () => {
  const one = await enqueue(a.db, late, { n: 1 }, { delay: '1h' });
  const { job: before } = await getJob(a.db, one.id);
  expect(await forwardWaiting(a.db, 'b', late)).toEqual({ forwarded: 1, left: 0 });
  expect((await getJob(a.db, one.id)).job.expiresAt).toBeNull();
  await carry();
  const after = await jobOf(one.id);
  expect(after).toMatchObject({ type: 'late', runAt: before.runAt, expiresAt: before.expiresAt });
  const [row] = await b.db.$queryRaw<{ terms: object }[]>`SELECT terms FROM duework.job_runs`;
  expect(row!.terms).toMatchObject({ onExpired: 'echo', onDead: 'charge', retryUntil: expect.any(String) });
});

test('one that has failed before goes with the attempts that it has left', async () => {
  const { worker } = await startTestWorker(a.db, {
    catalog: [charge],
    handlers: {
      charge: async () => {
        throw new Error('no');
      },
    },
  });
  workers.push(worker);
  const { id } = await enqueue(a.db, charge, { invoice: 1 }, { maxAttempts: 5 });
  const { runAt } = await untilJob(a.db, id, { status: 'failed' });
  await workers.pop()!.stop({ deadlineMs: 0 });
  expect(await forwardWaiting(a.db, 'b', charge)).toEqual({ forwarded: 1, left: 0 });
  await carry();
  expect(await jobOf(id)).toMatchObject({ maxAttempts: 4, attempts: 0, runAt });
});

test('one that has begun an effect stays: only this database knows what it did', async () => {
  const { worker } = await startTestWorker(a.db, {
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
    const { id } = await enqueue(a.db, charge, { invoice });
    await untilJob(a.db, id, { status: 'failed' });
  }
  expect(await forwardWaiting(a.db, 'b', charge)).toEqual({ forwarded: 1, left: 1 });
});
