import { createKey } from '@duework/operate';
import { createKeyRing, enqueue, setKeyRing } from '@duework/queue-core';
import { sealSignal } from '@duework/queue-core/internals';
import { sendInvoice } from '@duework/shop';
import { defineJob, defineSignal } from '@duework/contracts';
import { beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import type { Scope } from '../../access/principal.js';
import { type Answer, useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi((parts) => ({ authorize: authorizeByKey(parts.db) }));
const unknown = defineJob({ type: 'unknown_here', payload: z.object({ orderId: z.int() }) });
const cardPaid = defineSignal({
  name: 'card_paid',
  by: ['n'],
  payload: z.object({ n: z.int(), card: z.string() }),
  sensitive: ['/card'],
});
let id = '';
let ofUnknown = '';
let last = 0;

async function read(path: string, ...scopes: Scope[]): Promise<Answer> {
  const { text } = await createKey(api.db, { name: `key-${++last}`, scopes });
  return api.get(path, { Authorization: `Bearer ${text}` });
}

beforeAll(async () => {
  ({ id } = await enqueue(api.db, sendInvoice, { orderId: 7 }));
  ({ id: ofUnknown } = await enqueue(api.db, unknown, { orderId: 7 }));
  for (const run of [id, ofUnknown])
    await api.db.$executeRaw`
      INSERT INTO duework.job_steps (run_id, name, status, asked_seq, done_seq, fence, awaits, awaited, wakes_at, result)
      VALUES (${run}::text::bigint, 'charge', 'done', 1, 1, 4, NULL, NULL, NULL, '{"receipt": "r-1"}'),
        (${run}::text::bigint, 'paid', 'waiting', 2, NULL, 4, 'signal', 'order_paid 90812', '2099-01-01Z', NULL)`;
});

test('a value of a signal that is encrypted is told to who may see sensitive ones', async () => {
  const { id: waited } = await enqueue(api.db, sendInvoice, { orderId: 8 });
  setKeyRing(createKeyRing({ current: 'k1', keys: { k1: Buffer.alloc(32).toString('base64') } }));
  const result = JSON.stringify(sealSignal(cardPaid, { n: 1, card: '4929' }));
  await api.db.$executeRaw`
    INSERT INTO duework.job_steps (run_id, name, status, asked_seq, done_seq, fence, awaits, awaited, result)
    VALUES (${waited}::text::bigint, 'paid', 'done', 1, 1, 4, 'signal', 'card_paid 1', ${result}::text::jsonb)`;
  const shown = async (...scopes: Scope[]) =>
    (await read(`/v1/jobs/${waited}/steps`, 'read', ...scopes)).body.steps[0].result;
  expect(await shown('sensitive')).toEqual({ n: 1, card: '4929' });
  expect(await shown('payloads')).toEqual({ n: 1, card: '[sensitive]' });
  setKeyRing(null);
  expect(await shown('sensitive')).toEqual({ n: 1, card: '[sensitive]' });
});

test('the steps of a job are told in their order, and whoever may read payloads sees what they have returned', async () => {
  const { status, body } = await read(`/v1/jobs/${id}/steps`, 'read', 'payloads');
  expect(status).toBe(200);
  expect(body).toEqual({
    steps: [
      {
        name: 'charge',
        status: 'done',
        kind: 'work',
        of: null,
        key: null,
        since: null,
        until: null,
        sentence: 'done',
        result: { receipt: 'r-1' },
        isLong: false,
        end: null,
        error: null,
        beganAt: expect.any(String),
        doneAt: expect.stringMatching(/Z$/),
        fence: 4,
      },
      expect.objectContaining({
        name: 'paid',
        status: 'waiting',
        of: 'order_paid',
        key: '90812',
        until: '2099-01-01T00:00:00.000Z',
        beganAt: expect.any(String),
        doneAt: null,
        sentence: 'waits for the signal order_paid, key 90812, until 2099-01-01T00:00:00.000Z',
      }),
    ],
    nextCursor: null,
    parent: null,
    graph: [],
  });
});

test('whoever may read, and no more, sees neither results nor keys', async () => {
  const { text, body } = await read(`/v1/jobs/${id}/steps`, 'read');
  expect(body.steps[1]).toMatchObject({ of: 'order_paid', key: null });
  expect(text).not.toMatch(/90812|r-1|"result"/);
});

test('of a type that this server does not know results are shown to those who may see what is sensitive alone', async () => {
  const shown = await read(`/v1/jobs/${ofUnknown}/steps`, 'read', 'payloads');
  expect(shown.body.steps[0].result).toBe('[sensitive]');
  const all = await read(`/v1/jobs/${ofUnknown}/steps`, 'read', 'sensitive');
  expect(all.body.steps[0].result).toEqual({ receipt: 'r-1' });
});

test('they come in pages, and what cannot be asked is refused', async () => {
  const first = await read(`/v1/jobs/${id}/steps?limit=1`, 'read');
  expect(first.body.steps.map(({ name }: { name: string }) => name)).toEqual(['charge']);
  const second = await read(`/v1/jobs/${id}/steps?limit=1&cursor=${first.body.nextCursor}`, 'read');
  expect(second.body).toMatchObject({ steps: [{ name: 'paid' }], nextCursor: null });
  for (const [path, status, code] of [
    [`${id}/steps?cursor=x`, 400, 'invalid_cursor'],
    [`${id}/steps?limit=1001`, 400, 'invalid_query'],
    ['none/steps', 404, 'invalid_job_id'],
    ['999999999999/steps', 404, 'job_not_found'],
  ] as const) {
    const answer = await read(`/v1/jobs/${path}`, 'read');
    expect([path, answer.status, answer.body.code]).toEqual([path, status, code]);
  }
});
