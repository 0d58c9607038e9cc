import { cancelJob, enqueue } from '@duework/queue-core';
import { sendInvoice } from '@duework/shop';
import { createKey } from '@duework/operate';
import { expect, test } from '@jest/globals';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { authorizeAny } from '../../access/authorize/authorize-any.js';
import { authorizeLocal } from '../../access/authorize/authorize-local.js';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi(({ db }) => ({ authorize: authorizeAny(authorizeByKey(db), authorizeLocal()) }));
const PAYLOAD = String.raw`{"text": "12345678901234567890 \\\"9007199254740993", "orderId": 9007199254740993,
  "amounts": [-12345678901234567890, 1234567890.123456789, 1.5]}`;

let orders = 0;
/** A job whose payload somebody has written in SQL. */
async function store(payload = PAYLOAD): Promise<string> {
  const { id } = await enqueue(api.db, sendInvoice, { orderId: ++orders });
  await api.db
    .$executeRaw`UPDATE duework.job_runs SET payload = ${payload}::text::jsonb WHERE id = ${id}::text::bigint`;
  return id;
}

test('a payload that was enqueued in SQL is answered with all the digits of its numbers, alone and in a list', async () => {
  const id = await store();
  for (const path of [`/v1/jobs/${id}`, `/v1/jobs?filter=id:${id}`]) {
    const { text, body } = await api.get(path);
    expect(text).toContain('"orderId":9007199254740993');
    expect(text).toContain('"amounts":[-12345678901234567890,1234567890.123456789,1.5]');
    expect((body.jobs?.[0] ?? body).payload.text).toBe(String.raw`12345678901234567890 \"9007199254740993`);
  }
});

test('and so is a result, once the job has ended', async () => {
  const id = await store();
  await cancelJob(api.db, id);
  await api.db
    .$executeRaw`UPDATE duework.job_history SET result = '{"id": 9007199254740993}' WHERE id = ${id}::text::bigint`;
  const { text } = await api.get(`/v1/jobs/${id}`);
  expect(text).toContain('"result":{"id":9007199254740993}');
  expect(text).toContain('"orderId":9007199254740993');
});

test('what changes a job answers with them, too', async () => {
  const id = await store();
  const { text } = await api.post(`/v1/jobs/${id}/cancel`);
  expect(text).toContain('"orderId":9007199254740993');
});

test('a text that looks like a marked number stays a text', async () => {
  const id = await store(String.raw`{"a": "\\u00009007199254740993", "b": 9007199254740993}`);
  const { text, body } = await api.get(`/v1/jobs/${id}`);
  expect(body.payload.a).toBe(String.raw`\u00009007199254740993`);
  expect(text).toContain('"b":9007199254740993');
});

test('who may not read payloads is told none of it', async () => {
  const id = await store();
  const { text: key } = await createKey(api.db, { name: 'reader', scopes: ['read'] });
  const { text } = await api.get(`/v1/jobs/${id}`, { Authorization: `Bearer ${key}` });
  expect(text).not.toContain('payload');
  expect(text).not.toContain('9007199254740993');
});
