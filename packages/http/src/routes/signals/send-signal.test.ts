import { defineSignal } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { useTestApi } from '../../testing/use-test-api.js';

const paid = defineSignal({
  name: 'paid',
  by: ['orderId'],
  payload: z.object({ orderId: z.int(), note: z.string().optional() }),
});
const named = defineSignal({ name: 'named', by: ['name'], payload: z.object({ name: z.string() }) });
const api = useTestApi(() => ({ signals: [paid, named] }));

const stored = async (awaited: string): Promise<unknown[]> =>
  (await api.db.jobSignal.findMany({ where: { awaited } })).map(({ payload }) => payload);

test('a signal is sent with its payload, and kept where no job waits for it', async () => {
  expect(await api.post('/v1/signals/paid', { orderId: 1, note: 'ok' })).toMatchObject({
    status: 200,
    body: { isAwaited: false },
  });
  expect(await stored('paid 1')).toEqual([{ orderId: 1, note: 'ok' }]);
});

test('a request that is sent again with its Idempotency-Key sends it once', async () => {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'payment-2' };
  for (const replayed of [null, 'true']) {
    const answer = await api.post('/v1/signals/paid', { orderId: 2 }, headers);
    expect(answer).toMatchObject({ status: 200, body: { isAwaited: false } });
    expect(answer.headers.get('idempotency-replayed')).toBe(replayed);
  }
  expect(await stored('paid 2')).toHaveLength(1);
});

test.each<[string, string, unknown, number, string]>([
  ['a signal that this API does not send', 'refunded', { orderId: 3 }, 404, 'not_found'],
  ['a payload that is wrong', 'paid', { orderId: 'three' }, 422, 'invalid_payload'],
  ['a key that is too long', 'named', { name: 'x'.repeat(300) }, 422, 'payload_not_storable'],
  ['a payload that is too large', 'named', { name: 'x'.repeat(66_000) }, 413, 'payload_too_large'],
  ['no body', 'paid', undefined, 400, 'empty_body'],
  ['no JSON', 'paid', '{', 400, 'malformed_json'],
])('%s is refused, and nothing is sent', async (_, name, body, status, code) => {
  const before = await api.db.jobSignal.count();
  expect(await api.post(`/v1/signals/${name}`, body)).toMatchObject({ status, body: { code } });
  expect(await api.db.jobSignal.count()).toBe(before);
});

test('what is wrong with a payload is told by its place in the body, which is the payload', async () => {
  expect((await api.post('/v1/signals/paid', { orderId: 'three' })).body).toMatchObject({
    detail: 'The payload of paid is not valid; see errors.',
    errors: [{ pointer: '/orderId' }],
  });
});

test('a form for a signal is made of what the API says of it: its fields, and by which of them a job waits', async () => {
  const { body } = await api.get('/v1/signals');
  expect(body.signals).toMatchObject([
    { name: 'paid', by: ['orderId'], payloadSchema: { type: 'object', required: ['orderId'] } },
    { name: 'named', by: ['name'], payloadSchema: { properties: { name: { type: 'string' } } } },
  ]);
});
