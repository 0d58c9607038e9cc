import { expect, test } from '@jest/globals';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi();
const job = (orderId: unknown) => ({ type: 'send_invoice', payload: { orderId } });

test('a batch begins, grows, is looked at with its jobs, cancelled, and tells of its end once', async () => {
  const body = { name: 'november', jobs: [job(1), job(2)], onSettled: job(100) };
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'november' };
  const begun = await api.post('/v1/batches', body, headers);
  expect(begun).toMatchObject({ status: 202, body: { jobs: [{ type: 'send_invoice' }, { type: 'send_invoice' }] } });
  const { id } = begun.body;
  expect(begun.headers.get('location')).toBe(`/v1/batches/${id}`);
  // sent again, it is the same one
  expect((await api.post('/v1/batches', body, headers)).body.id).toBe(id);
  expect(await api.post(`/v1/batches/${id}/jobs`, { jobs: [job(3)] })).toMatchObject({ status: 202 });

  expect(await api.get(`/v1/batches/${id}`)).toMatchObject({
    status: 200,
    body: { id, name: 'november', jobs: 3, open: 3, settledAt: null, callbacks: { onSettled: null } },
  });
  const jobs = await api.get(`/v1/jobs?filter=batch:${id}`);
  expect(jobs.body.jobs.map((one: { batch: string }) => one.batch)).toEqual([id, id, id]);

  const cancelled = await api.post(`/v1/batches/${id}/cancel`, { reason: 'wrong month' });
  expect(cancelled).toMatchObject({ status: 200, body: { cancelled: 3, requested: 0, batch: { open: 0 } } });
  const { callbacks } = cancelled.body.batch;
  expect((await api.get(`/v1/jobs/${callbacks.onSettled}`)).body).toMatchObject({ type: 'send_invoice', batch: null });
  expect((await api.get(`/v1/audit?verb=cancel`)).body.entries).toMatchObject([
    { kind: 'batch', target: id, reason: 'wrong month' },
  ]);
  expect(await api.post(`/v1/batches/${id}/jobs`, { jobs: [job(4)] })).toMatchObject({
    status: 409,
    body: { code: 'batch_settled' },
  });
  expect((await api.get('/v1/batches?limit=1')).body.batches).toMatchObject([{ id }]);
});

test.each([
  ['a job of it', { jobs: [job(1), job('two')] }, '/jobs/1/payload/orderId'],
  ['what comes at its end', { jobs: [job(1)], onFirstDead: job('two') }, '/onFirstDead/payload/orderId'],
  ['a field that there is not', { jobs: [], onEnd: job(1) }, '/onEnd'],
])('%s is refused with its place, and nothing begins', async (_, body, pointer) => {
  const before = await api.db.jobBatch.count();
  const answer = await api.post('/v1/batches', body);
  expect(answer.status).toBe(422);
  expect(answer.body.errors.map((one: { pointer: string }) => one.pointer)).toContain(pointer);
  expect(await api.db.jobBatch.count()).toBe(before);
});

test('there is no batch of another id', async () => {
  for (const answer of [
    await api.get('/v1/batches/none'),
    await api.post('/v1/batches/none/cancel'),
    await api.post('/v1/batches/none/jobs', { jobs: [job(1)] }),
  ])
    expect(answer).toMatchObject({ status: 404, body: { code: 'batch_not_found' } });
});
