import { expect, test } from '@jest/globals';
import { useTestShards } from '../testing/use-test-shards.js';
import { waitUntil } from '../testing/wait-until.js';

const api = useTestShards(['a', 'b']);
const report = {
  type: 'send_weekly_report',
  payload: { userId: 1, from: '2026-01-01', to: '2026-01-07' },
  idempotencyKey: null,
};
const enqueue = async (key?: string): Promise<string> =>
  (await api.post('/v1/jobs', report, key === undefined ? {} : { 'Idempotency-Key': key })).id;

test('a shard that is closed gets no job that any would do for, and what has begun there is not begun elsewhere', async () => {
  const before = new Map<string, string>();
  for (let n = 0; n < 12; n++) before.set(`k${n}`, await enqueue(`k${n}`));
  expect(new Set([...before.values()].map((id) => id[0]))).toEqual(new Set(['a', 'b']));
  await api.db('b').$executeRaw`INSERT INTO duework.shard (name, closed_at) VALUES ('b', now())`;
  await waitUntil('it is known', async () =>
    (await Promise.all([enqueue(), enqueue()])).every((id) => id.startsWith('a.')),
  );
  for (let n = 0; n < 12; n++) expect(await enqueue(`later${n}`)).toMatch(/^a\./);
  for (const [key, id] of before) expect(await enqueue(key)).toBe(id);
  expect((await api.post('/v1/jobs?shard=b', report)).id).toMatch(/^b\./);
  await api.db('a').$executeRaw`INSERT INTO duework.shard (name, closed_at) VALUES ('a', now())`;
  await waitUntil('all are', async () => (await api.ask('POST', '/v1/jobs', report)).body.code === 'shard_not_given');
});
