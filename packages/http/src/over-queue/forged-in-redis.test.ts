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
  const text = await answer.text();
  return { status: answer.status, body: path === '/metrics' ? text : JSON.parse(text) };
}
let receipts = 0;
const receipt = (more: object = {}) => ({
  type: 'send_receipt',
  payload: { receiptId: `B-${++receipts}`, email: 'ana@example.org', amountCents: 990, currency: 'EUR' },
  delaySeconds: 3_600,
  ...more,
});

/** A job as another program adds it, with fields of its hash as they should not be. */
async function forge(id: string, fields: Record<string, string>): Promise<string> {
  const { body } = await ask('POST', '/v1/jobs', receipt());
  const [queue] = body.id.split(':');
  await redis.connection.rename(`duework:${body.id}`, `duework:${queue}:${id}`);
  await redis.connection.hset(`duework:${queue}:${id}`, fields);
  await redis.connection.zrem(`duework:${queue}:delayed`, body.id.slice(queue.length + 1));
  await redis.connection.lpush(`duework:${queue}:wait`, id);
  await redis.connection.zadd('duework::jobs', Date.now(), `${queue}:${id}`);
  return `${queue}:${id}`;
}

test.each<[string, unknown]>([
  ['a number', '\0---'],
  ['digits', '\u0000007'],
  ['an exponent', '\u00001e9'],
  ['a number of the API', 'number 1e9'],
])('a text that looks like %s, in a job that another program has added, stays that text', async (name, text) => {
  const payload = { receiptId: text, email: 'ana@example.org', amountCents: 990, currency: 'EUR' };
  const id = await forge(`text-${name.replaceAll(' ', '-')}`, { data: JSON.stringify(payload) });
  const { status, body } = await ask('GET', `/v1/jobs/${encodeURIComponent(id)}`);
  expect([status, body.payload]).toEqual([200, payload]);
  expect((await ask('GET', '/v1/jobs?limit=200')).body.jobs).toContainEqual(expect.objectContaining({ id, payload }));
  expect((await ask('POST', `/v1/jobs/${encodeURIComponent(id)}/cancel`)).status).toBe(200);
});

test.each<[string, Record<string, string>]>([
  ['options that are no JSON', { opts: '{' }],
  ['options that are null', { opts: 'null' }],
  ['notes that are no JSON', { opts: '{"duework":"{"}' }],
  ['notes that are null', { opts: '{"duework":"null"}' }],
  ['stack traces that are no JSON', { stacktrace: 'x' }],
  ['stack traces that are null', { stacktrace: 'null' }],
  ['data that is no JSON', { data: 'x' }],
  ['data nested beyond all', { data: '['.repeat(50_000) + ']'.repeat(50_000) }],
  ['a returned value and a progress that are no JSON', { returnvalue: 'x', progress: 'x' }],
  ['moments and counts that are none', { timestamp: 'x', priority: 'x', 'dw:attempts': 'x', 'dw:runAt': '1e99' }],
])('a job in Redis with %s is answered about as any, and so is what it is listed with', async (name, fields) => {
  const id = await forge(`forged-${name.replaceAll(' ', '-')}`, fields);
  const at = `/v1/jobs/${encodeURIComponent(id)}`;
  expect(await ask('GET', at)).toMatchObject({
    status: 200,
    body: { id, status: 'queued', maxAttempts: expect.any(Number) },
  });
  for (const path of ['/v1/queues', '/v1/jobs?limit=200', '/v1/jobs/count', '/v1/pauses', '/metrics'])
    expect({ path, status: (await ask('GET', path)).status }).toEqual({ path, status: 200 });
  expect((await ask('POST', `${at}/cancel`)).body).toMatchObject({ id, status: 'cancelled' });
});
