import { createKey } from '@duework/operate';
import { beforeAll, expect, test } from '@jest/globals';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi(({ db }) => ({ authorize: authorizeByKey(db) }));
let key = '';
const ask = (path: string, text = key) => api.get(path, { Authorization: `Bearer ${text}` });

beforeAll(async () => {
  key = (await createKey(api.db, { name: 'reader', scopes: ['read'] })).text;
  await api.db.$executeRaw`
    INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT n, 'default', CASE WHEN n < 3 THEN 'order' ELSE 'other' END, 1, 5, now() + interval '1 day', '{}', 9
    FROM generate_series(1, 3) AS n`;
  await api.db.$executeRaw`
    INSERT INTO duework.job_steps (run_id, name, at, job_type, status, asked_seq, done_seq, fence, awaits, awaited, began_at)
    SELECT n, s.name, CASE s.status WHEN 'waiting' THEN s.name END, CASE WHEN n < 3 THEN 'order' ELSE 'other' END, s.status, 1, s.seq, 1, s.awaits, s.awaited, now() - interval '2 s'
    FROM generate_series(1, 3) AS n
    CROSS JOIN (VALUES ('reserve', 'done', 1, NULL, NULL), ('wait for paid', 'waiting', NULL, 'signal', 'paid "SECRET"'))
      AS s (name, status, seq, awaits, awaited)`;
});

test('durable types say where their jobs are and how long their steps take, with the filter that finds them', async () => {
  const { status, body } = await ask('/v1/workflows');
  expect(status).toBe(200);
  expect(body).toMatchObject({ isComplete: true });
  expect(body.types.map(({ type, waiting }: { type: string; waiting: number }) => [type, waiting])).toEqual([
    ['order', 2],
    ['other', 1],
    // of the catalog: none has begun
    ['approve_credit', 0],
    ['handle_order', 0],
  ]);
  const [order] = body.types;
  expect(order).toMatchObject({
    running: 0,
    isAtLeast: false,
    places: [
      { step: 'wait for paid', kind: 'signal', signal: 'paid', jobs: 2, filter: 'type:order at:"wait for paid"' },
    ],
    steps: [{ step: 'reserve', kind: 'work', times: 2, failed: 0 }],
    compensations: { running: 0, failed: 0 },
  });
  expect(order.steps[0].medianMs).toBeGreaterThanOrEqual(2_000);
  expect(JSON.stringify(body)).not.toContain('SECRET');
  const { jobs } = (await ask(`/v1/jobs?filter=${encodeURIComponent(order.places[0].filter)}`)).body;
  expect(jobs.map(({ id }: { id: string }) => id)).toEqual(['2', '1']);
  expect((await ask('/v1/workflows?type=other')).body.types).toHaveLength(1);
});

test('a key that is limited to types sees only their jobs', async () => {
  const { text } = await createKey(api.db, { name: 'limited', scopes: ['enqueue', 'read'], types: ['other'] });
  const typesOf = async (query: string) =>
    (await ask(`/v1/workflows${query}`, text)).body.types.map(({ type }: { type: string }) => type);
  expect(await typesOf('')).toEqual(['other']);
  expect(await typesOf('?type=order')).toEqual([]);
});
