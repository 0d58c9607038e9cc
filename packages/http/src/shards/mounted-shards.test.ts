import { expect, test } from '@jest/globals';
import { ask, type Answer } from '../testing/use-test-api.js';
import { useServedShards } from '../testing/use-served-shards.js';

const served = useServedShards(['a', 'b', 'c'], '/api/queue');

const post = (path: string, body: object = {}): Promise<Answer> =>
  ask(served.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
const get = (path: string): Promise<Answer> => ask(served.url + path);
const invoice = { type: 'send_invoice', payload: { orderId: 1 }, delaySeconds: 3600 };

test('below a path of a Node server jobs are found by what they were answered with', async () => {
  const sent = await post('/v1/jobs?shard=c', invoice);
  const location = sent.headers.get('location')!;
  expect(location).toMatch(/^\/api\/queue\/v1\/jobs\/c\.\d+$/);
  expect((await ask(new URL(location, served.url).href)).body).toMatchObject({ id: sent.body.id });
  expect((await get('/v1/jobs/x.1')).body).toMatchObject({
    type: '/api/queue/problems/unknown_shard',
    requestId: expect.any(String),
  });
  expect((await get(`/v1/jobs/c.1`)).body).toMatchObject({ type: '/api/queue/problems/job_not_found' });
  const explained = await get('/problems/shard_not_given');
  expect(explained.body).toMatchObject({ status: 400 });
});

test('waits for the end of a job in its shard', async () => {
  const { id } = (await post('/v1/jobs?shard=b', { ...invoice, idempotencyKey: null })).body;
  const waiting = get(`/v1/jobs/${id}?wait=20`);
  expect((await post(`/v1/jobs/${id}/cancel`)).body).toMatchObject({ status: 'cancelled' });
  expect((await waiting).body).toMatchObject({ id, status: 'cancelled' });
});

test('follows a job to its end', async () => {
  const { id } = (await post('/v1/jobs?shard=a', { ...invoice, idempotencyKey: null })).body;
  const response = await fetch(`${served.url}/v1/jobs/${id}/events`);
  const text = response.text();
  await post(`/v1/jobs/${id}/cancel`);
  const events = (await text).match(/^data: .*$/gm)!.map((line) => JSON.parse(line.slice(6)));
  expect(events.at(-1)).toMatchObject({ id, status: 'cancelled' });
  expect(events.every((event: { id: string }) => event.id === id)).toBe(true);
});

test.each([
  '/v1/jobs?limit=1&limit=2',
  '/v1/jobs?filter=a&filter=b',
  '/v1/jobs?shard=a&shard=b',
  '/v1/jobs?nonsense=1',
  '/v1/jobs?limit=0',
  '/v1/jobs/a.1?shard=a',
  '/v1/jobs/a.1/explain?shard=a',
  '/v1/shards?shard=a',
])('a query that is not valid is refused: %s', async (path) => {
  expect(await get(path)).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
});

test('without ids of before an id without a name is refused, and the shards are named', async () => {
  expect(await get('/v1/jobs/17')).toMatchObject({
    status: 400,
    body: { code: 'shard_not_given', detail: expect.stringContaining('a, b, c') },
  });
});

test('of three shards two answer while one is away', async () => {
  for (const shard of ['a', 'b', 'c'])
    await post(`/v1/jobs?shard=${shard}`, { ...invoice, idempotencyKey: `k-${shard}` });
  served.api.proxy('b').refuse();
  const { body } = await get('/v1/jobs?filter=key:k-a,k-b,k-c');
  expect(body.jobs.map(({ id }: { id: string }) => id[0]).sort()).toEqual(['a', 'c']);
  expect(body.problems).toEqual([{ shard: 'b', problem: 'database_away' }]);
  await served.api.proxy('b').restore();
});
