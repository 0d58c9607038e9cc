import { connectRedis, openBullmqQueue, type RedisConnection } from '@duework/bullmq';
import { startRedis, type RedisServer } from '@duework/bullmq/testing';
import { catalog } from '@duework/shop';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authorizeLocal } from '../access/authorize/authorize-local.js';
import { createQueueHandler, type QueueHandler } from '../create-queue-handler.js';
import type { AnyJson } from '../testing/use-test-api.js';

let server: RedisServer;
let redis: RedisConnection;
let handler: QueueHandler;
beforeAll(async () => {
  server = await startRedis();
  redis = connectRedis(`redis://127.0.0.1:${server.port}`);
  await redis.check();
  const queue = openBullmqQueue({ connection: redis.connection });
  handler = createQueueHandler({ queue, catalog, authorize: authorizeLocal() });
});
afterAll(async () => {
  redis.close();
  await server.stop();
});

async function ask(method: string, path: string, body?: object): Promise<{ status: number; body: AnyJson }> {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await handler(request, { incoming: { socket: { remoteAddress: '127.0.0.1' } } });
  return { status: answer.status, body: await answer.json() };
}
let receipts = 0;
const receipt = (more: object = {}) => ({
  type: 'send_receipt',
  payload: { receiptId: `B-${++receipts}`, email: 'ana@example.org', amountCents: 990, currency: 'EUR' },
  delaySeconds: 3_600,
  ...more,
});

test('jobs of the dedicated queue are enqueued, looked up by their ids, changed and listed', async () => {
  const { status, body } = await ask('POST', '/v1/jobs', receipt());
  expect(status).toBe(202);
  const at = `/v1/jobs/${encodeURIComponent(body.id)}`;
  expect(await ask('GET', at)).toMatchObject({
    status: 200,
    body: { id: body.id, type: 'send_receipt', attemptHistory: [] },
  });
  expect(await ask('PATCH', at, { maxAttempts: 3 })).toMatchObject({ status: 200, body: { maxAttempts: 3 } });
  expect(await ask('POST', `${at}/cancel`, {})).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  expect((await ask('GET', '/v1/jobs?filter=status:cancelled')).body.jobs).toMatchObject([{ id: body.id }]);
  expect(await ask('POST', `${at}/retry`, {})).toMatchObject({ status: 200, body: { status: 'queued' } });
  expect(await ask('GET', '/v1/jobs/nonsense')).toMatchObject({ status: 404 });
});

test('pages lead from one to the next', async () => {
  for (let n = 0; n < 5; n++) await ask('POST', '/v1/jobs', receipt());
  const seen = new Set<string>();
  for (let cursor = ''; ;) {
    const { body } = await ask('GET', `/v1/jobs?limit=2${cursor}`);
    for (const { id } of body.jobs) seen.add(id);
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  expect(seen.size).toBe(6);
  expect((await ask('GET', '/v1/jobs/count?filter=type:send_receipt')).body.count).toBe(6);
});

test('it says that it is in Redis, and what of that it has not', async () => {
  const { queue } = (await ask('GET', '/v1/principal')).body;
  expect(queue).toMatchObject({ kind: 'Redis', capabilities: { flow: false, lists: true } });
  expect(await ask('POST', '/v1/batches', { jobs: [] })).toMatchObject({ status: 501 });
});

test('while Redis is away requests are refused with its code, and answered once it is back', async () => {
  await server.kill();
  expect(await ask('GET', '/readyz')).toMatchObject({ status: 503, body: { code: 'not_ready' } });
  expect(await ask('GET', '/v1/queues')).toMatchObject({ status: 503, body: { code: 'redis_away' } });
  await server.start();
  await redis.check();
  expect(await ask('GET', '/readyz')).toMatchObject({ status: 200 });
  expect((await ask('GET', '/v1/jobs/count')).body.count).toBe(6);
});
