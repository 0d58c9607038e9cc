import { expect, test } from '@jest/globals';
import { useTestApi } from '../testing/use-test-api.js';

const api = useTestApi();

const logLinesOf = (requestId: string) => api.logged.filter((line) => line['requestId'] === requestId);

test('a request id that the client sends is used, returned and logged', async () => {
  const answer = await api.get('/v1/jobs/42', { 'X-Request-Id': 'from-the-client:1' });
  expect(answer.headers.get('x-request-id')).toBe('from-the-client:1');
  expect(answer.body.requestId).toBe('from-the-client:1');
  expect(logLinesOf('from-the-client:1')).toEqual([
    expect.objectContaining({
      msg: 'request.answered',
      level: 30,
      method: 'GET',
      route: '/v1/jobs/{id}',
      status: 404,
      ms: expect.any(Number),
    }),
  ]);
});

test.each(['with space', 'x'.repeat(129), 'ümlaut'])(
  'a request id that could do harm is replaced, such as %s',
  async (id) => {
    const answer = await api.get('/livez', { 'X-Request-Id': id });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test('no payload, query or id of a client reaches the log', async () => {
  const secret = 'very-secret-thing';
  await api.post('/v1/jobs', {
    type: 'deliver_webhook',
    payload: { eventId: secret, url: 'https://example.com/', event: 'e', body: {} },
  });
  await api.post('/v1/jobs', { type: 'send_invoice', payload: { orderId: secret } });
  await api.post('/v1/jobs', `{"${secret}`);
  await api.get(`/v1/jobs?filter=${secret}:1`);
  await api.get(`/${secret}`);
  expect(JSON.stringify(api.logged)).not.toContain(secret);
});

test('probes are logged at the level debug only', async () => {
  for (const probe of ['/livez', '/readyz', '/metrics']) {
    const { status, headers } = await api.get(probe);
    expect(status).toBe(200);
    expect(logLinesOf(headers.get('x-request-id')!)).toEqual([expect.objectContaining({ level: 20, route: probe })]);
  }
});
