import { randomBytes } from 'node:crypto';
import { defineCatalog, defineJob, type PayloadOf } from '@duework/contracts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { startTestWorker, type EventRecord } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import type { Worker } from '../worker/create-worker.js';
import { enqueue, enqueueMany } from '../enqueue/enqueue.js';
import { jobRequest } from '../enqueue/job-request.js';
import { openQueue } from '../queue/open-queue.js';
import { getJob, retryJob } from '../queue/operate.js';
import { bury, type Outcome } from '../settle/outcome.js';
import { setKeyRing } from './current-key-ring.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { createKeyRing } from './key-ring.js';
import { unsealPayload } from './unseal-payload.js';

const database = useTestDatabase();
const workers: Worker[] = [];
afterEach(async () => {
  setKeyRing(null);
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  // whatever a test leaves behind waits for the workers of no other
  await database.db.$executeRaw`DELETE FROM duework.job_runs`;
});

const key = (): string => randomBytes(32).toString('base64');
const [k1, k2] = [key(), key()];
const only1 = createKeyRing({ current: 'k1', keys: { k1 } });
const both = createKeyRing({ current: 'k2', keys: { k1, k2 } });

const IBAN = 'DE89370400440532013000';
const v1 = z.object({ orderId: z.int(), iban: z.string() });
const pay1 = defineJob({ type: 'pay', payload: v1, sensitive: ['/iban'] });
const pay = defineJob({
  type: 'pay',
  version: 2,
  payload: z.object({ orderId: z.int(), ibans: z.array(z.string()), note: z.string().optional() }),
  sensitive: ['/ibans/*', '/note'],
  idempotencyKey: ({ orderId, ibans }) => `pay:${orderId}:${ibans.length}`,
  past: { 1: { payload: v1, sensitive: ['/iban'], lift: ({ orderId, iban }) => ({ orderId, ibans: [iban] }) } },
});
const strict = defineJob({ type: 'strict', payload: v1, sensitive: ['/iban'], encryption: 'required' });
const catalog = defineCatalog([pay, strict]);

async function start(handle: (payload: PayloadOf<typeof pay>) => unknown = () => {}): Promise<EventRecord> {
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { pay: ({ payload }) => handle(payload) as Outcome<null> | void, strict: () => {} },
  });
  workers.push(worker);
  return events;
}
const jobOf = async (id: string) => (await getJob(database.db, id)).job;

describe('a sensitive value, where this process has a key ring', () => {
  test('is encrypted by every enqueue, decrypted for its handler, and the rest of the payload stays readable', async () => {
    setKeyRing(both);
    const one = await enqueue(database.db, pay, { orderId: 1, ibans: [IBAN, 'AT61'], note: 'two' });
    const [many] = await enqueueMany(database.db, [jobRequest(pay, { orderId: 2, ibans: [IBAN] })]);
    const shared = await openQueue(database.db).enqueue(pay, { orderId: 3, ibans: [IBAN] });
    for (const { id } of [one, many!, shared]) {
      const { payload } = await jobOf(id);
      expect(JSON.stringify(payload)).not.toMatch(/DE89|AT61|two/);
      expect(payload).toMatchObject({
        orderId: expect.any(Number),
        ibans: [
          { $sealed: expect.stringMatching(/^k2:/) },
          ...(id === one.id ? [{ $sealed: expect.any(String) }] : []),
        ],
      });
    }
    const got: unknown[] = [];
    const events = await start((payload) => void got.push(payload));
    await events.waitFor('job.succeeded', 3);
    expect(got).toEqual([
      { orderId: 1, ibans: [IBAN, 'AT61'], note: 'two' },
      { orderId: 2, ibans: [IBAN] },
      { orderId: 3, ibans: [IBAN] },
    ]);
  });

  test('that was stored by an older version is decrypted and lifted', async () => {
    setKeyRing(only1);
    await enqueue(database.db, pay1, { orderId: 4, iban: IBAN });
    setKeyRing(both);
    const got: unknown[] = [];
    const events = await start((payload) => void got.push(payload));
    await events.waitFor('job.succeeded');
    expect(got).toEqual([{ orderId: 4, ibans: [IBAN] }]);
  });

  test('that was stored before there was a ring is read as it is', async () => {
    const { id } = await enqueue(database.db, pay, { orderId: 5, ibans: [IBAN] });
    expect((await jobOf(id)).payload).toEqual({ orderId: 5, ibans: [IBAN] });
    setKeyRing(both);
    const events = await start();
    await events.waitFor('job.succeeded');
  });

  test('is what a key function sees, so that a second enqueue finds the first run although its bytes differ', async () => {
    setKeyRing(both);
    const first = await enqueue(database.db, pay, { orderId: 6, ibans: [IBAN] });
    const again = await enqueue(database.db, pay, { orderId: 6, ibans: [IBAN] });
    expect(again).toMatchObject({ id: first.id, isDeduplicated: true });
  });

  test('counts against the limit as it is stored', async () => {
    const request = { orderId: 7, ibans: ['x'.repeat(100)] };
    const options = { payloadLimitBytes: 150, idempotencyKey: null };
    await enqueue(database.db, pay, request, options);
    setKeyRing(both);
    await expect(enqueue(database.db, pay, request, options)).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  test('is not quoted by the refusal of a payload', async () => {
    const picky = defineJob({
      type: 'picky',
      payload: z.object({ iban: z.string().superRefine((value, on) => on.addIssue(`${value} is blocked`)) }),
      sensitive: ['/iban'],
    });
    const refusal = await enqueue(database.db, picky, { iban: IBAN }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'invalid_payload',
      facts: { issues: [{ pointer: '/iban', message: '[sensitive] is blocked' }] },
    });
    expect((refusal as Error).message).not.toContain('DE89');
  });
});

describe('a process without a key ring', () => {
  test('cannot enqueue what requires encryption, and is told what to do', async () => {
    await expect(enqueue(database.db, strict, { orderId: 1, iban: IBAN })).rejects.toMatchObject({
      code: 'key_ring_missing',
      message: expect.stringContaining('setKeyRing'),
    });
  });

  test('nor does SQL', async () => {
    await registerDefinitions(database.db, catalog);
    const given = JSON.stringify({ orderId: 1, iban: IBAN });
    await expect(
      database.db.$queryRaw`SELECT id::text FROM duework.enqueue('strict', ${given}::text::jsonb)`,
    ).rejects.toThrow(/22W08.*requires encryption/s);
  });

  test('cannot store a value that only looks encrypted', async () => {
    const any = defineJob({ type: 'any', payload: z.object({ it: z.unknown() }), sensitive: ['/it'] });
    await expect(enqueue(database.db, any, { it: { $sealed: 'k1:x' } })).rejects.toMatchObject({
      code: 'payload_not_storable',
    });
  });
});

test('a value that was moved to another place of the payload, or to another type, is not decrypted', async () => {
  setKeyRing(both);
  const { id } = await enqueue(database.db, pay, { orderId: 20, ibans: [IBAN, 'AT61'] });
  const { payload } = (await jobOf(id)) as unknown as { payload: { ibans: [unknown, unknown] } };
  const moved = { ...payload, ibans: [payload.ibans[1], payload.ibans[0]] };
  expect(unsealPayload(pay, 2, payload)).toMatchObject({ ibans: [IBAN, 'AT61'] });
  for (const read of [
    () => unsealPayload(pay, 2, moved),
    () => unsealPayload({ ...pay, type: 'other' }, 2, payload),
    () => unsealPayload(pay, 1, payload),
  ])
    expect(read).toThrow(expect.objectContaining({ code: 'payload_not_readable' }));
});

describe('a worker without the key', () => {
  test('leaves the run, uncharged and for a while, says which key is missing, and runs what it can read', async () => {
    setKeyRing(both);
    const { id } = await enqueue(database.db, pay, { orderId: 8, ibans: [IBAN] });
    setKeyRing(only1);
    const readable = await enqueue(database.db, pay, { orderId: 9, ibans: [IBAN] });
    const events = await start();
    const left = await events.waitFor('job.left');
    await events.waitFor('job.succeeded');
    expect(left).toMatchObject([{ code: 'key_missing', keyId: 'k2', run: { id } }]);
    expect((await jobOf(readable.id)).status).toBe('succeeded');
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({
      status: 'queued',
      attempts: 0,
      worker: null,
      errorCode: 'key_missing',
      lastError: expect.stringContaining('"k2"'),
    });
    expect(job.runAt.getTime() - job.claimedAt!.getTime()).toBeGreaterThan(20_000);
    expect(attempts).toEqual([]);
    // the key has come
    setKeyRing(both);
    await retryJob(database.db, id);
    await events.waitFor('job.succeeded', 2);
    expect((await jobOf(id)).status).toBe('succeeded');
  });

  test('whose key has other bytes under the id fails the attempt, because that may be mended, and shows nothing', async () => {
    setKeyRing(only1);
    const { id } = await enqueue(database.db, pay, { orderId: 10, ibans: [IBAN] });
    setKeyRing(createKeyRing({ current: 'k1', keys: { k1: k2 } }));
    const events = await start();
    await events.waitFor('job.failed');
    expect(await jobOf(id)).toMatchObject({
      status: 'failed',
      errorCode: 'payload_not_readable',
      lastError: expect.stringContaining('/ibans/0'),
    });
  });
});

test('what a handler throws, buries or reports is stored without the values of its payload', async () => {
  setKeyRing(both);
  const thrown = await enqueue(database.db, pay, { orderId: 11, ibans: [IBAN], note: 'ring twice' });
  const buried = await enqueue(database.db, pay, { orderId: 12, ibans: [IBAN] });
  const events = await start(({ orderId, ibans, note }) => {
    if (orderId === 12) return bury('refused', `${ibans[0]} is blocked`);
    throw new Error(`${ibans[0]} of order 11 (${note}) was refused with Bearer abcDEF123456`);
  });
  await events.waitFor('job.failed');
  await events.waitFor('job.dead');
  expect(await jobOf(buried.id)).toMatchObject({
    status: 'dead',
    errorCode: 'refused',
    lastError: '[sensitive] is blocked',
  });
  const { job, attempts } = await getJob(database.db, thrown.id);
  expect(job.lastError).toBe('[sensitive] of order 11 ([sensitive]) was refused with Bearer [secret]');
  expect(JSON.stringify([job.payload, attempts])).not.toMatch(/DE89|ring twice|abcDEF/);
});
