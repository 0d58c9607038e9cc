import { createKey } from '@duework/operate';
import { createPostgresStore } from '@duework/queue-core';
import { catalog } from '@duework/shop';
import { beforeAll, expect, test } from '@jest/globals';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi(({ db }) => ({ authorize: authorizeByKey(db) }));
let key = '';
const ask = (query: string, text = key) => api.get(`/v1/effects/check${query}`, { Authorization: `Bearer ${text}` });

beforeAll(async () => {
  await createPostgresStore({ db: api.db }).prepare(catalog);
  key = (await createKey(api.db, { name: 'reader', scopes: ['read'] })).text;
  await api.db.$executeRaw`
    INSERT INTO duework.job_effects (job_type, run_key, name, status, run_id, fence, started_at, done_at)
    SELECT 'send_invoice', 'invoice:' || n, 'mail', 'done', n, 1, '2026-01-31T09:00:00Z'::timestamptz + n * interval '1 hour', now()
    FROM generate_series(1, 3) AS n`;
  await api.db.$executeRaw`UPDATE duework.job_effects SET status = 'unknown', done_at = NULL WHERE run_id = 3`;
});

test('it is proven of a time, and what is in doubt of another is told with what to look for', async () => {
  const first = await ask('?type=send_invoice&since=2026-01-31T09:00:00Z&until=2026-01-31T12:00:00Z');
  expect(first).toMatchObject({ status: 200, body: { isProven: true, jobs: 2, done: 2, doubts: [] } });
  const { body } = await ask('?type=send_invoice&since=2026-01-31T10:00:00%2B01:00');
  expect(body).toMatchObject({
    isProven: false,
    done: 2,
    unknown: 1,
    doubts: [{ doubt: 'unknown', jobId: '3', lookFor: 'send_invoice:invoice:3:mail' }],
  });
  expect(body.sentence).toContain('1 with an unknown outcome');
});

test('a key that is limited to other types learns nothing, not even whether there is such a type', async () => {
  const { text } = await createKey(api.db, { name: 'limited', scopes: ['read'], types: ['send_receipt'] });
  for (const type of ['send_invoice', 'nothing']) {
    const { status, body } = await ask(`?type=${type}`, text);
    expect([status, body.code, body.detail]).toEqual([
      403,
      'limited_to_types',
      'key:limited is for jobs of the type send_receipt alone.',
    ]);
  }
  expect((await ask('?type=send_receipt', text)).status).toBe(200);
});

test.each([
  ['', 400, 'invalid_query'],
  ['?type=send_invoice&since=yesterday', 400, 'invalid_query'],
  ['?type=nothing', 422, 'unknown_job_type'],
  ['?type=send_invoice&since=2026-01-31T09:00:00Z&until=2026-01-31T09:00:00Z', 422, 'invalid_option'],
])('%s is refused', async (query, status, code) => {
  expect(await ask(query)).toMatchObject({ status, body: { code } });
});
