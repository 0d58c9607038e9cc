import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi();
const alert = 'horizon_pinned/session 7';

beforeEach(async () => {
  await emptyTables(api.db, 'job_alerts, alert_silences');
  await api.db.$executeRaw`
    INSERT INTO duework.job_alerts (name, subject, raised_at, facts)
    VALUES ('horizon_pinned', 'session 7', now(), '{"kind": "session", "pinnedSeconds": 400}')`;
});

test('what is on is listed, silenced, taken care of and tested', async () => {
  expect((await api.get('/v1/alerts')).body).toMatchObject({
    alerts: [{ key: alert, severity: 'warning', silencedUntil: null, acknowledgedBy: null }],
    silences: [],
  });
  const silenced = await api.post('/v1/alerts/silence', { key: 'horizon_pinned', for: '2h', reason: 'a dump' });
  expect(silenced).toMatchObject({
    status: 200,
    body: { alerts: [{ silencedUntil: expect.any(String) }], silences: [{ key: 'horizon_pinned', reason: 'a dump' }] },
  });
  expect((await api.post('/v1/alerts/silence', { key: 'horizon_pinned', for: null })).body).toMatchObject({
    silences: [],
  });
  expect((await api.post('/v1/alerts/acknowledge', { key: alert })).body).toMatchObject({
    alerts: [{ acknowledgedBy: expect.any(String) }],
  });
  expect((await api.post('/v1/alerts/test', { severity: 'critical' })).body).toMatchObject({
    alerts: [{ name: 'test', severity: 'critical' }, { key: alert }],
  });
});

test.each([
  ['what is not on', 'acknowledge', { key: 'horizon_pinned/session 8' }, 404, 'alert_not_found'],
  ['a silence that is not there', 'silence', { key: '*', for: null }, 404, 'alert_not_found'],
  ['a name that is none', 'silence', { key: 'none', for: '1h' }, 422, 'invalid_option'],
  ['no duration', 'silence', { key: '*', for: 'long' }, 422, 'invalid_option'],
  ['a field that is none', 'test', { loud: true }, 422, 'invalid_body'],
])('%s is refused', async (_, verb, body, status, code) => {
  expect(await api.post(`/v1/alerts/${verb}`, body)).toMatchObject({ status, body: { code } });
});
