import { createKey } from '@duework/operate';
import { beforeAll, expect, test } from '@jest/globals';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi(({ db }) => ({ authorize: authorizeByKey(db) }));
let key = '';
const ask = (query = '', text = key) => api.get(`/v1/failures${query}`, { Authorization: `Bearer ${text}` });

beforeAll(async () => {
  key = (await createKey(api.db, { name: 'reader', scopes: ['read', 'payloads'] })).text;
  await api.db.$executeRaw`
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at,
      failed_at, error_code, error_type, last_error, created_at, finished_at)
    SELECT n, 'default', CASE WHEN n < 3 THEN 'send_invoice' ELSE 'other' END, 1, 'dead', 5, now(), '{}', 3, 3, 1, 'w1', now(),
      now(), 'smtp_refused', 'SmtpError', 'No such mailbox: ana' || n || '@example.org', now(), now() - interval '5 minutes'
    FROM generate_series(1, 3) AS n`;
});

test('jobs that failed are grouped by what their errors have in common, with the filter that finds them', async () => {
  const { status, body } = await ask('?range=1h');
  expect(status).toBe(200);
  expect(body).toMatchObject({ stepSeconds: 150, isComplete: true });
  expect(body.groups).toMatchObject([
    {
      type: 'send_invoice',
      code: 'smtp_refused',
      pattern: 'No such mailbox: …',
      dead: 2,
      retrying: 0,
      workers: ['w1'],
    },
    { type: 'other', dead: 1 },
  ]);
  expect(body.groups[0].counts).toHaveLength(24);
  expect(body.groups[0].filter).toBe('type:send_invoice code:smtp_refused "No such mailbox"');
  expect((await ask('?type=other')).body.groups).toHaveLength(1);
  expect((await ask('?range=1y')).body.code).toBe('invalid_query');
});

test('who may not read payloads is told of errors by code, type and place, and no word of them', async () => {
  const { text } = await createKey(api.db, { name: 'without', scopes: ['read'] });
  const answer = await ask('?range=1h', text);
  expect(answer.body.groups).toMatchObject([
    { type: 'send_invoice', code: 'smtp_refused', errorType: 'SmtpError', pattern: null, message: null, dead: 2 },
    { type: 'other', dead: 1 },
  ]);
  expect(answer.text).not.toContain('mailbox');
  const { filter } = answer.body.groups[0];
  const headers = { Authorization: `Bearer ${text}` };
  const { status, body } = await api.get(`/v1/jobs?filter=${encodeURIComponent(filter)}`, headers);
  expect([status, body.jobs.length, body.jobs[0].errorCode, body.jobs[0].lastError]).toEqual([
    200,
    2,
    'smtp_refused',
    null,
  ]);
});

test('a key that is limited to types sees only their failures', async () => {
  const { text } = await createKey(api.db, { name: 'limited', scopes: ['enqueue', 'read'], types: ['other'] });
  const typesOf = async (query: string) =>
    (await ask(query, text)).body.groups.map(({ type }: { type: string }) => type);
  expect(await typesOf('')).toEqual(['other']);
  expect(await typesOf('?type=send_invoice')).toEqual([]);
});
