import { expect, test } from '@jest/globals';
import { ask, useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi();
const entries = () =>
  api.db.$queryRaw<{ verb: string }[]>`SELECT verb, by, via, reason FROM duework.audit_entries ORDER BY id`;
const send = (method: 'PUT' | 'DELETE', path: string, body?: unknown) =>
  ask(`${api.url}/v1/schedules/${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });

test('what is done through the API is in the audit with the name of the caller and the reason, whatever verb it was', async () => {
  const { id } = (await api.post('/v1/jobs', { type: 'send_invoice', payload: { orderId: 1 }, delaySeconds: 60 })).body;
  const because = (reason: string) => ({ reason });
  const key = 'audited';
  const rule = { type: 'cleanup_nightly', payload: { day: { $due: 'date' } }, cron: '0 3 * * *' };
  for (const [answer, status] of [
    [await api.post(`/v1/jobs/${id}/cancel`, because('cancel')), 200],
    [await api.post(`/v1/jobs/${id}/free-key`, because('free_key')), 200],
    [await api.post(`/v1/jobs/${id}/retry`, because('retry')), 200],
    [await send('PUT', `${key}?reason=save_schedule`, rule), 201],
    [await api.post(`/v1/schedules/${key}/pause`, because('pause_schedule')), 200],
    [await api.post(`/v1/schedules/${key}/resume`, because('resume_schedule')), 200],
    [await api.post(`/v1/schedules/${key}/trigger`, because('trigger_schedule')), 202],
    [await send('DELETE', `${key}?reason=delete_schedule`), 204],
  ] as const)
    expect(answer.status).toBe(status);
  const verbs = [
    'cancel',
    'free_key',
    'retry',
    'save_schedule',
    'pause_schedule',
    'resume_schedule',
    'trigger_schedule',
    'delete_schedule',
  ];
  expect(await entries()).toEqual(verbs.map((verb) => ({ verb, by: 'local', via: 'api', reason: verb })));
});

test('a caller cannot act in the name of another', async () => {
  const { id } = (await api.post('/v1/jobs', { type: 'send_invoice', payload: { orderId: 2 }, delaySeconds: 60 })).body;
  expect(await api.post(`/v1/jobs/${id}/cancel`, { by: 'ada' })).toMatchObject({
    status: 422,
    body: { code: 'invalid_body' },
  });
});
