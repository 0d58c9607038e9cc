import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deliverWebhook } from '@duework/shop';
import { enqueue, retryJob } from '@duework/queue-core';
import { openTestDatabase } from '../testing/open-test-database.js';
import { startTestWorker, type TestWorker } from '../testing/start-test-worker.js';

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const SECRET = 'a secret of the tests';
const received: Received[] = [];
/** How the receiver answers a request to this path. */
const answers = new Map<string, (response: ServerResponse) => void>();
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({ path: request.url!, headers: request.headers, body });
    (answers.get(request.url!) ?? ((reply) => reply.writeHead(204).end()))(response);
  });
});
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let worker: TestWorker;
let port: number;
let eventCount = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  port = (receiver.address() as AddressInfo).port;
  worker = await startTestWorker({ ...database, webhook: { secret: SECRET } });
});
afterAll(async () => {
  await worker.stop();
  receiver.closeAllConnections();
  receiver.close();
  await database.close();
});

/** Enqueues a webhook to a path of the receiver, which gives this answer. */
async function send(
  path: string,
  answer?: (response: ServerResponse) => void,
  options: { eventId?: string; event?: string } = {},
) {
  if (answer) answers.set(path, answer);
  const { eventId = `evt_${++eventCount}`, event = 'order.paid' } = options;
  const url = `http://127.0.0.1:${port}${path}`;
  const job = await enqueue(
    database.db,
    deliverWebhook,
    { eventId, url, event, body: { order: 812, note: 'Grüße' } },
    { idempotencyKey: null },
  );
  return { ...job, eventId, url };
}

const timesReceived = (path: string): number => received.filter((request) => request.path === path).length;

test('an event is delivered once, and its delivery is on record', async () => {
  const job = await send('/once');
  expect(await worker.end(job.id)).toMatchObject({ name: 'job.succeeded' });
  const again = await send('/once', undefined, { eventId: job.eventId });
  expect(await worker.end(again.id)).toMatchObject({ name: 'job.succeeded' });
  expect(timesReceived('/once')).toBe(1);
  expect(
    await database.db.jobEffect.findMany({ where: { runKey: { startsWith: `webhook:${job.eventId}:` } } }),
  ).toMatchObject([{ name: 'delivery', status: 'done', result: 204 }]);
});

test('an event that its receiver refused is not on record as delivered, and is delivered by the next try', async () => {
  let isOpen = false;
  const job = await send('/reopened', (response) => response.writeHead(isOpen ? 204 : 410).end());
  expect(await worker.event(job.id, 'job.dead')).toMatchObject({ error: { code: 'http_410' } });
  isOpen = true;
  await retryJob(database.db, job.id);
  await worker.event(job.id, 'job.succeeded');
  expect(timesReceived('/reopened')).toBe(2);
});

test('an event is delivered once to an address of the greatest length, too', async () => {
  const path = `/${'u'.repeat(2_000)}`;
  const job = await send(path);
  expect(await worker.end(job.id)).toMatchObject({ name: 'job.succeeded' });
  const again = await send(path, undefined, { eventId: job.eventId });
  expect(await worker.end(again.id)).toMatchObject({ name: 'job.succeeded' });
  expect(timesReceived(path)).toBe(1);
});

test('the receiver can verify the signature', async () => {
  const { id, eventId } = await send('/signed');
  await worker.end(id);
  const { headers, body } = received.find((request) => request.path === '/signed')!;
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-duework-signature']))!;
  expect(v1).toBe(createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex'));
  expect(Math.abs(Date.now() / 1_000 - Number(t))).toBeLessThan(60);
  expect(headers).toMatchObject({
    'x-duework-event': 'order.paid',
    'x-duework-delivery': eventId,
    'content-type': 'application/json',
  });
  expect(JSON.parse(body)).toEqual({ order: 812, note: 'Grüße' });
});

test('a name that no header can hold is percent-encoded', async () => {
  const { id } = await send('/named', undefined, { event: 'Größe\r\nX-Evil: 1' });
  expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
  expect(received.find((request) => request.path === '/named')!.headers).toMatchObject({
    'x-duework-event': 'Gr%C3%B6%C3%9Fe%0D%0AX-Evil%3A%201',
  });
});

test('a redirect is not followed', async () => {
  const { id } = await send('/moved', (response) => response.writeHead(307, { Location: '/elsewhere' }).end());
  expect(await worker.end(id)).toMatchObject({ name: 'job.dead', error: { code: 'webhook_redirected' } });
  expect(timesReceived('/elsewhere')).toBe(0);
});

test('a retry waits as long as Retry-After says', async () => {
  const seconds = await send('/later', (response) => response.writeHead(503, { 'Retry-After': '120' }).end());
  const date = await send('/at', (response) =>
    response
      .writeHead(429, { 'Retry-After': new Date(Math.floor(Date.now() / 1_000) * 1_000 + 600_000).toUTCString() })
      .end(),
  );
  const long = await send('/never', (response) => response.writeHead(503, { 'Retry-After': '99999999' }).end());
  const counted = await worker.event(seconds.id, 'job.failed');
  expect(counted).toMatchObject({ error: { code: 'http_503' } });
  // never shorter than asked for, and spread by up to a fifth
  expectSpread(counted.delayMs, 120_000);
  const dated = await worker.event(date.id, 'job.failed');
  expect(dated).toMatchObject({ error: { code: 'http_429' } });
  expect(dated.delayMs).toBeGreaterThan(590_000);
  expectSpread((await worker.event(long.id, 'job.failed')).delayMs, 86_400_000);
});

function expectSpread(delayMs: number, askedMs: number): void {
  expect(delayMs).toBeGreaterThanOrEqual(askedMs);
  expect(delayMs).toBeLessThanOrEqual(askedMs * 1.2);
}

test('an answer of the 4xx range is final, except for those that say "later"', async () => {
  for (const status of [400, 401, 404, 410, 422]) {
    const { id } = await send(`/refused/${status}`, (response) => response.writeHead(status).end());
    expect(await worker.end(id)).toMatchObject({ name: 'job.dead', error: { code: `http_${status}` } });
  }
  for (const status of [408, 425, 429, 500, 503]) {
    const { id } = await send(`/later/${status}`, (response) => response.writeHead(status).end());
    expect(await worker.event(id, 'job.failed')).toMatchObject({ error: { code: `http_${status}` } });
  }
});

test('a webhook is tried again when the receiver is away or breaks off', async () => {
  const broken = await send('/broken', (response) => response.socket!.destroy());
  expect(await worker.event(broken.id, 'job.failed')).toMatchObject({
    error: { code: 'ECONNRESET', type: 'WebhookError' },
  });
  const { id } = await enqueue(database.db, deliverWebhook, {
    eventId: 'away',
    url: 'http://127.0.0.1:1/',
    event: 'e',
    body: {},
  });
  expect(await worker.event(id, 'job.failed')).toMatchObject({ error: { code: 'ECONNREFUSED' } });
});

test('an answer that never ends is read up to the limit, and its status counts', async () => {
  const { id } = await send('/endless', (response) => {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  });
  expect(await worker.end(id)).toMatchObject({ name: 'job.succeeded' });
});
