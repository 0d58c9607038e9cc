import { randomBytes } from 'node:crypto';
import { defineCatalog, defineJob } from '@duework/contracts';
import { createKeyRing, enqueue, getJob, setKeyRing, unsealPayload } from '@duework/queue-core';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { tablesWith } from '../testing/tables-with.js';
import { ANA, useOperated } from '../testing/use-operated.js';
import type { BulkAction, BulkRequest } from './bulk-action.js';
import { reencryptPayloads } from '../reencrypt/reencrypt-payloads.js';
import { undoBulkAction } from './end-bulk-action.js';
import { getBulkAction } from './get-bulk-action.js';
import { previewBulkAction } from './preview-bulk-action.js';
import { startBulkAction } from './start-bulk-action.js';
import { stepBulkActions } from './step-bulk-actions.js';

const { db, entries } = useOperated();
const OLD = 'DE89370400440532013000';
const NEW = 'FR1420041010050500013M02606';
const pay = defineJob({
  type: 'pay',
  version: 2,
  payload: z.object({ orderId: z.int(), payer: z.object({ iban: z.string().min(15), name: z.string() }) }),
  sensitive: ['/payer/iban'],
  past: {
    1: {
      payload: z.object({ orderId: z.int(), iban: z.string() }),
      sensitive: ['/iban'],
      lift: ({ orderId, iban }) => ({ orderId, payer: { iban, name: '' } }),
    },
  },
});
const catalog = defineCatalog([pay]);
const [k1, k2] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const ring = createKeyRing({ current: 'k1', keys: { k1 } });
const rotated = createKeyRing({ current: 'k2', keys: { k1, k2 } });
const other = createKeyRing({ current: 'k2', keys: { k2 } });
afterEach(() => setKeyRing(null));

const step = () => stepBulkActions(db(), catalog, new AbortController().signal);
const start = (request: Partial<BulkRequest>): Promise<BulkAction> =>
  startBulkAction(db(), catalog, { verb: 'edit_payload', filter: 'type:pay', ...request } as BulkRequest, ANA);
const run = async (request: Partial<BulkRequest>): Promise<BulkAction> => {
  const { id } = await start(request);
  await step();
  return getBulkAction(db(), id);
};
const make = async (): Promise<string> =>
  (await enqueue(db(), pay, { orderId: 1, payer: { iban: OLD, name: 'Ana' } })).id;
const stored = async (id: string): Promise<unknown> => (await getJob(db(), id)).job.payload;
const sealed = { $sealed: expect.stringMatching(/^k1:/) };

describe('where this process has a key ring, an edit', () => {
  beforeEach(() => setKeyRing(ring));

  test('of a sensitive field decrypts the payload, checks it and encrypts it again: no table ever has the value', async () => {
    const id = await make();
    const action = await start({ path: ['payer', 'iban'], value: NEW });
    expect(await tablesWith(db(), NEW)).toEqual([]);
    expect(action.options).toEqual({ path: ['payer', 'iban'], value: '[sensitive]' });
    await step();
    expect(await getBulkAction(db(), action.id)).toMatchObject({
      status: 'finished',
      done: 1,
      refused: {},
      options: { path: ['payer', 'iban'] },
    });
    const payload = await stored(id);
    expect(payload).toEqual({ orderId: 1, payer: { iban: sealed, name: 'Ana' } });
    expect(unsealPayload(pay, 2, payload)).toMatchObject({ payer: { iban: NEW } });
    expect([...(await tablesWith(db(), NEW)), ...(await tablesWith(db(), OLD))]).toEqual([]);
    expect((await entries())[0]!.after).toMatchObject({ options: { path: ['payer', 'iban'] } });
  });

  test('of a field beside one, or of what holds one, keeps it encrypted, and is undone', async () => {
    const id = await make();
    const before = await stored(id);
    for (const [path, value] of [
      [['orderId'], 2],
      [['payer'], { iban: NEW, name: 'Bo' }],
      [['payer', 'iban'], NEW],
    ] as const) {
      const action = await run({ path, value: value as never });
      expect(action).toMatchObject({ done: 1, refused: {} });
      expect(await stored(id)).toMatchObject({ payer: { iban: sealed } });
      await undoBulkAction(db(), action.id, ANA);
      await step();
      expect(unsealPayload(pay, 2, await stored(id))).toEqual(unsealPayload(pay, 2, before));
      expect(await stored(id)).toMatchObject({ payer: { iban: sealed } });
    }
    expect([...(await tablesWith(db(), NEW)), ...(await tablesWith(db(), OLD))]).toEqual([]);
  });

  test('is undone under the key of now, also where the edit took out all that was encrypted', async () => {
    const id = await make();
    const before = unsealPayload(pay, 2, await stored(id));
    // nothing of it is encrypted any more, so a rotation has nothing to change
    const taken = await run({ path: ['orderId'], value: 2 });
    await db().$executeRaw`UPDATE duework.job_runs SET payload = payload - 'payer' WHERE id = ${id}::text::bigint`;
    await db().$executeRaw`UPDATE duework.bulk_undos AS u SET as_left = jsonb_build_object('md5', md5(j.payload::text))
      FROM duework.job_runs AS j WHERE j.id = u.run_id`;
    setKeyRing(rotated);
    await reencryptPayloads(db(), rotated);
    await undoBulkAction(db(), taken.id, ANA);
    await step();
    setKeyRing(other);
    expect(unsealPayload(pay, 2, await stored(id))).toEqual(before);
    expect(await stored(id)).toMatchObject({ payer: { iban: { $sealed: expect.stringMatching(/^k2:/) } } });
  });

  test('is not undone where nobody could read what comes back', async () => {
    const id = await make();
    const { id: actionId } = await run({ path: ['orderId'], value: 2 });
    const left = await stored(id);
    setKeyRing(other);
    const undo = await undoBulkAction(db(), actionId, ANA);
    await step();
    expect(await getBulkAction(db(), undo.id)).toMatchObject({ status: 'finished', done: 0 });
    expect(await stored(id)).toEqual(left);
  });

  test('that its contract refuses is counted, and changes nothing', async () => {
    const id = await make();
    const before = await stored(id);
    for (const request of [
      { path: ['payer', 'iban'], value: 'short' },
      { path: ['payer', 'iban'] },
      { path: ['payer', 'iban', 'deeper'], value: 1 },
    ]) {
      const preview = await previewBulkAction(db(), catalog, {
        verb: 'edit_payload',
        filter: 'type:pay',
        ...request,
      } as BulkRequest);
      expect(preview.sample[0]!.refusal).toMatchObject({ code: 'invalid_payload' });
      expect(await run(request as never)).toMatchObject({ done: 0, refused: { invalid_payload: 1 } });
    }
    expect(await stored(id)).toEqual(before);
  });

  test('of a payload with a number that JavaScript cannot hold is refused, and the preview says so: all of it would be written anew', async () => {
    const id = await make();
    await db()
      .$executeRaw`UPDATE duework.job_runs SET payload = jsonb_set(payload, '{orderId}', '9007199254740993') WHERE id = ${id}::text::bigint`;
    const change = { verb: 'edit_payload', filter: 'type:pay', path: ['payer', 'iban'], value: NEW } as const;
    const { sample } = await previewBulkAction(db(), catalog, change);
    expect(sample[0]!.refusal).toMatchObject({ code: 'number_not_kept' });
    expect(await run(change)).toMatchObject({ done: 0, refused: { number_not_kept: 1 } });
  });

  test('of a payload of an earlier version encrypts what that version calls sensitive', async () => {
    const id = await make();
    await db()
      .$executeRaw`UPDATE duework.job_runs SET job_version = 1, payload = ${JSON.stringify({ orderId: 1, iban: OLD })}::text::jsonb`;
    expect(await run({ path: ['iban'], value: NEW })).toMatchObject({ done: 1 });
    const payload = await stored(id);
    expect(payload).toEqual({ orderId: 1, iban: sealed });
    expect(unsealPayload(pay, 1, payload)).toEqual({ orderId: 1, iban: NEW });
  });

  test('is left to processes that have one, too', async () => {
    await make();
    const { id } = await start({ path: ['payer', 'iban'], value: NEW });
    setKeyRing(null);
    await step();
    expect(await getBulkAction(db(), id)).toMatchObject({ status: 'running', done: 0 });
    setKeyRing(ring);
    await step();
    expect(await getBulkAction(db(), id)).toMatchObject({ status: 'finished', done: 1 });
  });

  test('of what is encrypted with a key that is not here is refused, and the preview says so', async () => {
    const id = await make();
    const before = await stored(id);
    setKeyRing(other);
    const request = { verb: 'edit_payload', filter: 'type:pay', path: ['orderId'], value: 2 } as const;
    expect((await previewBulkAction(db(), catalog, request)).sample[0]!.refusal).toMatchObject({ code: 'key_missing' });
    expect(await run(request)).toMatchObject({ done: 0, refused: { key_missing: 1 } });
    expect(await stored(id)).toEqual(before);
  });

  test('whose value is encrypted with a key that is not here waits for a process that has it', async () => {
    await make();
    const { id } = await start({ path: ['payer', 'iban'], value: NEW });
    setKeyRing(other);
    await expect(step()).rejects.toMatchObject({ code: 'key_missing', facts: { keyId: 'k1' } });
    expect(await getBulkAction(db(), id)).toMatchObject({ status: 'running', done: 0 });
  });
});

test('without a key ring a sensitive value is stored as it is, and is still shown to nobody', async () => {
  const id = await make();
  const action = await start({ path: ['payer', 'iban'], value: NEW });
  expect(action.options).toEqual({ path: ['payer', 'iban'], value: '[sensitive]' });
  await step();
  expect(await stored(id)).toMatchObject({ payer: { iban: NEW } });
  expect((await getBulkAction(db(), action.id)).options).toEqual({ path: ['payer', 'iban'] });
  // an undo may want the old one, for an hour
  expect(await tablesWith(db(), NEW)).toEqual(['job_runs']);
});

test('an edit of a type that requires encryption is refused without a key ring', async () => {
  const strict = defineJob({
    type: 'pay',
    payload: z.object({ iban: z.string() }),
    sensitive: ['/iban'],
    encryption: 'required',
  });
  setKeyRing(ring);
  await enqueue(db(), strict, { iban: OLD });
  setKeyRing(null);
  const request = { verb: 'edit_payload', filter: 'type:pay', path: ['iban'], value: NEW } as const;
  await expect(startBulkAction(db(), defineCatalog([strict]), request)).rejects.toMatchObject({
    code: 'key_ring_missing',
  });
});

test('no bulk action asks for a sensitive value, because its filter is kept', async () => {
  await make();
  for (const filter of [`type:pay payload.payer.iban:${OLD}`, 'payload.payer:null', `-payload.payer.iban:${OLD}`]) {
    const request = { verb: 'cancel', filter } as const;
    await expect(startBulkAction(db(), catalog, request)).rejects.toMatchObject({ code: 'bulk_action_refused' });
    await expect(previewBulkAction(db(), catalog, request)).rejects.toMatchObject({ code: 'bulk_action_refused' });
  }
  expect(await tablesWith(db(), `iban:${OLD}`)).toEqual([]);
});
