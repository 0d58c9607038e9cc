import { createKey } from '@duework/operate';
import { cancelJob, enqueue } from '@duework/queue-core';
import { sendInvoice, sendReceipt } from '@duework/shop';
import { beforeAll, expect, test } from '@jest/globals';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { type AnyJson, useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi(({ db }) => ({ authorize: authorizeByKey(db) }));
let key = '';
let receipt = '';
let invoice = '';
const ask = (query = '', text = key) => api.get(`/v1/ended-jobs${query}`, { Authorization: `Bearer ${text}` });
const receiptOf = (receiptId: string) =>
  ({ receiptId, email: 'ana@example.org', amountCents: 100, currency: 'EUR' }) as const;
const idsOf = ({ jobs }: AnyJson): string[] => jobs.map(({ id }: AnyJson) => id);
/** What else runs in this server holds a page back for a moment. */
async function askFor(count: number, query = '', text = key): Promise<AnyJson> {
  for (;;) {
    const { body } = await ask(query, text);
    if (body.jobs.length >= count) return body;
  }
}

beforeAll(async () => {
  key = (await createKey(api.db, { name: 'reader', scopes: ['read'] })).text;
  ({ id: receipt } = await enqueue(api.db, sendReceipt, receiptOf('r1')));
  ({ id: invoice } = await enqueue(api.db, sendInvoice, { orderId: 7002 }));
  for (const id of [receipt, invoice]) await cancelJob(api.db, id);
});

test('what has ended is told page by page, and behind the last cursor what ends next', async () => {
  await askFor(2);
  const first = (await ask('?limit=1')).body;
  expect(first).toMatchObject({ jobs: [{ id: receipt, status: 'cancelled' }], caughtUp: false });
  const second = (await ask(`?after=${first.cursor}`)).body;
  expect(second).toMatchObject({ jobs: [{ id: invoice }], caughtUp: true });
  expect((await ask(`?after=${second.cursor}`)).body.jobs).toEqual([]);
  const { id } = await enqueue(api.db, sendReceipt, receiptOf('r2'));
  await cancelJob(api.db, id);
  expect(idsOf(await askFor(1, `?after=${second.cursor}`))).toEqual([id]);
  expect((await ask('?after=now')).body).toMatchObject({ jobs: [], caughtUp: true });
});

test('without payloads none is shown', async () => {
  const [job] = (await askFor(1)).jobs;
  expect(job).not.toHaveProperty('payload');
  const { text } = await createKey(api.db, { name: 'payloads', scopes: ['read', 'payloads'] });
  expect((await askFor(1, '', text)).jobs[0].payload).toMatchObject({ receiptId: 'r1' });
});

test('a key that is limited to types is told of their ends, whatever it asks for', async () => {
  const { text } = await createKey(api.db, { name: 'limited', scopes: ['read'], types: ['send_invoice'] });
  expect(idsOf(await askFor(1, '', text))).toEqual([invoice]);
  expect(idsOf(await askFor(1, '?types=send_invoice,send_receipt', text))).toEqual([invoice]);
  expect(idsOf((await ask('?types=send_receipt', text)).body)).toEqual([]);
  expect(idsOf(await askFor(1, '?types=send_invoice'))).toEqual([invoice]);
});

test.each([
  ['?after=x', 400, 'invalid_cursor'],
  ['?after=9000000000000000000-0-0-20000', 409, 'cursor_ahead'],
  ['?limit=0', 400, 'invalid_query'],
  ['?limit=201', 400, 'invalid_query'],
  ['?after=now&after=now', 400, 'invalid_query'],
  ['?cursor=now', 400, 'invalid_query'],
])('%s is refused', async (query, status, code) => {
  expect(await ask(query)).toMatchObject({ status, body: { code } });
});
