import { createPostgresStore } from '@duework/queue-core';
import { catalog } from '@duework/shop';
import { afterEach, expect, test } from '@jest/globals';
import { useTestShards } from '../testing/use-test-shards.js';

const api = useTestShards(['a', 'b']);
afterEach(() => api.restore());

test('the proof is over all shards, is refused while one is away, and one of them can be asked alone', async () => {
  for (const [shard, status] of [
    ['a', 'done'],
    ['b', 'unknown'],
  ] as const) {
    await api.db(shard).$executeRaw`INSERT INTO duework.shard (name) VALUES (${shard})`;
    await createPostgresStore({ db: api.db(shard) }).prepare(catalog);
    await api.db(shard).$executeRaw`
      INSERT INTO duework.job_effects (job_type, run_key, name, status, run_id, fence, done_at)
      VALUES ('send_invoice', 'run:7', 'mail', ${status}, 7, 1, CASE WHEN ${status} = 'done' THEN now() END)`;
  }
  const asked = '/v1/effects/check?type=send_invoice';
  const all = await api.get(asked);
  expect(all).toMatchObject({ isProven: false, jobs: 2, done: 1, unknown: 1 });
  expect(all.sentence).toMatch(/^It is not proven .*2 jobs, 1 effect done once; 1 with an unknown outcome/);
  expect(all.doubts).toMatchObject([{ jobId: 'b.7', lookFor: 'send_invoice:run:b.7:mail' }]);
  expect(await api.get(`${asked}&shard=a`)).toMatchObject({ isProven: true, done: 1 });
  api.proxy('b').refuse();
  expect(await api.get(asked)).toMatchObject({ code: 'database_away' });
  expect(await api.get(`${asked}&shard=a`)).toMatchObject({ isProven: true, done: 1 });
});
