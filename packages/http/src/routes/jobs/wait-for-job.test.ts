import { createKey, revokeKey } from '@duework/operate';
import { cancelJob, enqueue } from '@duework/queue-core';
import { cleanupNightly } from '@duework/shop';
import { expect, test } from '@jest/globals';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { createMetrics } from '../../observe/create-metrics.js';
import { useTestApi } from '../../testing/use-test-api.js';
import { waitUntil } from '../../testing/wait-until.js';

const metrics = createMetrics();
const api = useTestApi((parts) => ({ metrics, authorize: authorizeByKey(parts.db) }));

let number = 0;
/** Begins to wait for a job, and returns how that ends. */
async function begin(seconds: number) {
  const { id } = await enqueue(api.db, cleanupNightly, { day: `2031-01-${String(++number).padStart(2, '0')}` });
  const key = await createKey(api.db, { name: `waits-${number}`, scopes: ['read', 'payloads'] });
  const answer = api.get(`/v1/jobs/${id}?wait=${seconds}`, { Authorization: `Bearer ${key.text}` });
  await waitUntil('it waits', async () => (await metrics.streams.get()).values[0]!.value === 1);
  return { id, key, answer };
}
const streams = async () => (await metrics.streams.get()).values[0]!.value;

test('who waits is answered when the job has finished', async () => {
  const { id, answer } = await begin(50);
  await cancelJob(api.db, id);
  expect((await answer).body).toMatchObject({ id, status: 'cancelled', payload: { day: expect.any(String) } });
  expect(await streams()).toBe(0);
});

test('who waits with a key that is revoked meanwhile is refused soon, and learns nothing', async () => {
  const { key, answer } = await begin(50);
  await revokeKey(api.db, key.key.name);
  const { status, body } = await answer;
  expect([status, body.code]).toEqual([401, 'revoked_credentials']);
  expect(await streams()).toBe(0);
});

test('who waits with a key that is revoked before the job finishes is refused when it does', async () => {
  const { id, key, answer } = await begin(50);
  await revokeKey(api.db, key.key.name);
  await cancelJob(api.db, id);
  const { status, body } = await answer;
  expect([status, body.code]).toEqual([401, 'revoked_credentials']);
});

test('who has waited sees what its rights of now let it see', async () => {
  const { id, key, answer } = await begin(50);
  await api.db.$executeRaw`UPDATE duework.api_keys SET scopes = ARRAY['read'] WHERE name = ${key.key.name}`;
  await cancelJob(api.db, id);
  const { status, body } = await answer;
  expect([status, 'payload' in body]).toEqual([200, false]);
});
