import { randomBytes } from 'node:crypto';
import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { startTestWorker, waitForJob } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { signal } from '../enqueue/signal.js';
import type { Handlers } from '../run/handler.js';
import type { Worker } from '../worker/create-worker.js';
import { setKeyRing } from './current-key-ring.js';
import { createKeyRing } from './key-ring.js';
import { showSignal } from './signal-values.js';

const database = useTestDatabase();
const CARD = '4929123412341234';
const EMAIL = 'ana@example.org';
const paid = defineSignal({
  name: 'paid',
  by: ['orderId'],
  payload: z.object({ orderId: z.int(), card: z.string(), email: z.string() }),
  sensitive: ['/card'],
});
const byCard = defineSignal({ name: 'by_card', by: ['card'], payload: z.object({ card: z.string() }) });
const order = defineJob({
  type: 'order',
  payload: z.object({ orderId: z.int(), card: z.string() }),
  sensitive: ['/card'],
  durable: true,
  maxAttempts: 1,
});
const catalog = defineCatalog([order]);
const ring = createKeyRing({ current: 'k1', keys: { k1: randomBytes(32).toString('base64') } });
const payload = { orderId: 1, card: CARD, email: EMAIL };

const workers: Worker[] = [];
beforeEach(() => setKeyRing(ring));
afterEach(async () => {
  setKeyRing(null);
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  await emptyTables(database.db, 'job_signals, job_runs');
});
async function start(handle: Handlers<typeof catalog>['order']): Promise<string> {
  const { worker } = await startTestWorker<typeof catalog>(database.db, { catalog, handlers: { order: handle } });
  workers.push(worker);
  return (await enqueue(database.db, order, { orderId: 1, card: CARD })).id;
}

describe('a value of a signal that is called sensitive', () => {
  test('is encrypted while the signal waits and where its step keeps it, and its handler gets it', async () => {
    await signal(database.db, paid, payload);
    const [kept] = await database.db.jobSignal.findMany();
    expect(kept!.payload).toEqual({ ...payload, card: { $sealed: expect.stringMatching(/^k1:/) } });
    const got: unknown[] = [];
    const id = await start(async ({ waitFor }) => void got.push(await waitFor(paid, { where: { orderId: 1 } })));
    await waitForJob(database.db, id);
    expect(got).toEqual([payload]);
    const [step] = await database.db.$queryRaw<{ result: object }[]>`
      SELECT result FROM duework.job_steps WHERE run_id = ${id}::text::bigint`;
    expect(step!.result).toEqual(kept!.payload);
    expect(showSignal('paid', step!.result)).toEqual(payload);
    setKeyRing(null);
    expect(showSignal('paid', step!.result)).toEqual({ ...payload, card: '[sensitive]' });
  });

  test('is not sent without a key ring', async () => {
    setKeyRing(null);
    await expect(signal(database.db, paid, payload)).rejects.toMatchObject({ code: 'key_ring_missing' });
    expect(await database.db.jobSignal.count()).toBe(0);
  });

  test('stands in no error of the handler that has received it, and other values become their place', async () => {
    const id = await start(async ({ waitFor }) => {
      const got = await waitFor(paid, { where: { orderId: 1 } });
      throw new Error(`no ${got.card} of ${got.email}`);
    });
    await signal(database.db, paid, payload);
    expect(await waitForJob(database.db, id)).toMatchObject({
      status: 'dead',
      lastError: 'no [sensitive] of [signal paid/email]',
    });
  });

  test('finds no job: what a signal is found by is kept in plain text', () => {
    const options = { name: 'x', by: ['card'], payload: z.object({ card: z.string() }) } as const;
    expect(() => defineSignal({ ...options, sensitive: ['/card'] })).toThrow('keys are stored in plain text');
    expect(() => defineSignal({ ...options, sensitive: [''] })).toThrow('keys are stored in plain text');
    expect(() => defineSignal({ ...options, sensitive: ['/crad' as never] })).toThrow('is not in its payload');
  });
});

test('a sensitive value of a payload is not waited by', async () => {
  const id = await start(async ({ payload: { card }, waitFor }) => {
    await waitFor(byCard, { where: { card } });
  });
  const job = await waitForJob(database.db, id);
  expect(job).toMatchObject({ status: 'dead', errorCode: 'wait_by_sensitive' });
  expect(job.lastError).not.toContain(CARD);
  expect(await database.db.$queryRaw`SELECT awaited FROM duework.job_steps WHERE awaited LIKE '%4929%'`).toEqual([]);
});

test('a signal has the size that a payload may have', async () => {
  const large = { orderId: 1, card: 'x', email: 'y'.repeat(70_000) };
  await expect(signal(database.db, paid, large)).rejects.toMatchObject({ code: 'payload_too_large' });
  await signal(database.db, paid, large, { payloadLimitBytes: 80_000 });
  await expect(signal(database.db, paid, payload, { payloadLimitBytes: 20 })).rejects.toMatchObject({
    code: 'payload_too_large',
  });
});
