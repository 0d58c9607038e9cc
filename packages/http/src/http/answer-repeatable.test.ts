import { expect, test } from '@jest/globals';
import { useTestApi } from '../testing/use-test-api.js';

const api = useTestApi();
const json = (key: string) => ({ 'Content-Type': 'application/json', 'Idempotency-Key': key });
const order = (orderId: number, changes: object = {}) => ({ type: 'send_invoice', payload: { orderId }, ...changes });
const countRuns = (): Promise<number> => api.db.jobRun.count();

test('a request with an Idempotency-Key that is sent again gets the first answer to the byte, and does nothing', async () => {
  const body = order(1, { idempotencyKey: null });
  const first = await api.post('/v1/jobs', body, json('a'));
  expect(first.status).toBe(202);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  const runs = await countRuns();
  const again = await api.post('/v1/jobs', body, json('a'));
  expect([again.status, again.text]).toEqual([202, first.text]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  for (const name of ['location', 'content-type']) expect(again.headers.get(name)).toBe(first.headers.get(name));
  expect(await countRuns()).toBe(runs);
});

test('the same key with another body, or for another address, is refused', async () => {
  await api.post('/v1/jobs', order(2), json('b'));
  const others = [
    await api.post('/v1/jobs', order(3), json('b')),
    await api.post('/v1/jobs/batch', { jobs: [order(2)] }, json('b')),
  ];
  for (const { status, body } of others) expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
});

test('a batch is repeated whole', async () => {
  const body = { jobs: [order(4, { idempotencyKey: null }), order(5, { idempotencyKey: null })] };
  const first = await api.post('/v1/jobs/batch', body, json('c'));
  const runs = await countRuns();
  const again = await api.post('/v1/jobs/batch', body, json('c'));
  expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([202, first.text, 'true']);
  expect(await countRuns()).toBe(runs);
});

test('of ten that are sent at once one acts; the others get its answer, or are told that it is in flight', async () => {
  const runs = await countRuns();
  const body = order(6, { idempotencyKey: null });
  const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/v1/jobs', body, json('d'))));
  expect(await countRuns()).toBe(runs + 1);
  const made = answers.filter(({ status, headers }) => status === 202 && headers.get('idempotency-replayed') === null);
  expect(made).toHaveLength(1);
  for (const { status, body: given, headers } of answers.filter((answer) => answer.status !== 202))
    expect([status, given.code, headers.get('retry-after')]).toEqual([409, 'idempotency_key_in_flight', '1']);
});

test('a request that was refused keeps nothing, so it may be mended under the same key', async () => {
  const refused = await api.post('/v1/jobs', order(-1), json('e'));
  expect([refused.status, refused.body.code]).toEqual([422, 'invalid_payload']);
  expect((await api.post('/v1/jobs', order(7), json('e'))).status).toBe(202);
});

test.each(['', 'with space', 'x'.repeat(256)])('an Idempotency-Key of %j is refused', async (key) => {
  const { status, body } = await api.post('/v1/jobs', order(8), json(key));
  expect([status, body.code]).toEqual([400, 'malformed_idempotency_key']);
});

test('without the header nothing is kept', async () => {
  const kept = await api.db.keptAnswer.count();
  await api.post('/v1/jobs', order(9));
  expect(await api.db.keptAnswer.count()).toBe(kept);
});
