import { createKey } from '@duework/operate';
import { enqueue } from '@duework/queue-core';
import { sendInvoice } from '@duework/shop';
import { expect, test } from '@jest/globals';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi();
const closed = useTestApi(({ db }) => ({ authorize: authorizeByKey(db) }));
const ask = (path: string, filter: string, more = '') => api.get(`${path}?filter=${encodeURIComponent(filter)}${more}`);
const waiting = (orderId: number) => enqueue(api.db, sendInvoice, { orderId }, { delay: '1h' });
const idsOf = (body: { jobs: { id: string }[] }): string[] => body.jobs.map(({ id }) => id);

test('a filter in the URL as it is typed finds jobs by their payloads, and counts them', async () => {
  const { id } = await waiting(4_711);
  const list = await api.get('/v1/jobs?filter=type:send_invoice payload.orderId:4711');
  expect(idsOf(list.body)).toEqual([id]);
  expect(list.body).toMatchObject({ nextCursor: null, previousCursor: null, complete: true, hint: null });
  expect((await ask('/v1/jobs/count', 'payload.orderId:4711')).body).toEqual({ count: 1, atLeast: false, text: '1' });
});

test('pages lead on and back', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift((await waiting(5_000 + n)).id);
  const filter = `id:${ids.join(',')}`;
  const first = await ask('/v1/jobs', filter, '&limit=2');
  const second = await ask('/v1/jobs', filter, `&limit=2&cursor=${first.body.nextCursor}`);
  expect([idsOf(first.body), idsOf(second.body)]).toEqual([ids.slice(0, 2), ids.slice(2, 4)]);
  const back = await ask('/v1/jobs', filter, `&limit=2&cursor=${second.body.previousCursor}`);
  expect(back.body).toMatchObject({ previousCursor: null, nextCursor: first.body.nextCursor });
  expect(idsOf(back.body)).toEqual(ids.slice(0, 2));
});

test.each(['/v1/jobs', '/v1/jobs/count'])('%s says where a filter is wrong, why, and what to write', async (path) => {
  expect(await ask(path, 'type:send_invoice stauts:dead version:x')).toMatchObject({
    status: 422,
    body: {
      code: 'invalid_filter',
      errors: [
        { parameter: 'filter', reason: 'unknown_field', from: 18, to: 24, hint: 'Did you mean status:?' },
        { parameter: 'filter', reason: 'invalid_number', from: 38, to: 39 },
      ],
    },
  });
});

test.each(['/v1/jobs', '/v1/jobs/count'])('%s asks about payloads only for callers that may see them', async (path) => {
  const { text } = await createKey(closed.db, { name: path.slice(1).replaceAll('/', '-'), scopes: ['read'] });
  const filtered = (filter: string) =>
    closed.get(`${path}?filter=${encodeURIComponent(filter)}`, { Authorization: `Bearer ${text}` });
  expect(await filtered('status:dead')).toMatchObject({ status: 200 });
  for (const filter of ['payload.orderId:1', 'status:dead -payload.orderId:1'])
    expect(await filtered(filter)).toMatchObject({
      status: 403,
      body: { code: 'missing_scope', errors: [{ parameter: 'filter' }] },
    });
});
