import { connect, type Server, type Socket } from 'node:net';
import { enqueue } from '@duework/queue-core';
import { cleanupNightly } from '@duework/shop';
import { afterEach, expect, test } from '@jest/globals';
import { Hono } from 'hono';
import { AccessWatch } from '../access/access-watch.js';
import { SCOPES } from '../access/principal.js';
import { Share } from '../access/share.js';
import type { ApiEnv } from '../api.js';
import { createServer } from '../http/server/create-server.js';
import { listenOn } from '../http/server/listen-on.js';
import { createMetrics } from '../observe/create-metrics.js';
import { useTestApi } from '../testing/use-test-api.js';
import { waitUntil } from '../testing/wait-until.js';
import { createStreams } from './create-streams.js';

const metrics = createMetrics();
const api = useTestApi(() => ({ metrics }));
const READERS = 20;
const principal = { id: 'local', name: 'local', kind: 'local', scopes: SCOPES, types: null, from: null } as const;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const held = async (): Promise<number> => (await metrics.streams.get()).values[0]!.value;

let number = 0;
/** Clients that ask for a path, and never read a byte of the answer; each resolves when its connection is gone. */
async function ask(path: string, port = new URL(api.url).port): Promise<Promise<void>[]> {
  const made = Array.from({ length: READERS }, () => connect({ host: '127.0.0.1', port: Number(port) }).pause());
  sockets.push(...made);
  for (const socket of made) socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  return made.map((socket) => {
    socket.on('error', () => {});
    return new Promise((resolve) => socket.on('close', () => resolve()));
  });
}
/** Whoever does not read learns by writing that nobody is there any more. */
async function areGone(closed: Promise<void>[]): Promise<void> {
  const knocking = setInterval(() => sockets.forEach((socket) => socket.write('\r\n')), 50);
  await Promise.all(closed).finally(() => clearInterval(knocking));
}
const countOf = (server: Server, wanted: number): Promise<void> =>
  waitUntil(
    `the server has ${wanted}`,
    () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count === wanted))),
  );
const enqueueOne = () => enqueue(api.db, cleanupNightly, { day: `2031-02-${String(++number).padStart(2, '0')}` });
/** Some megabytes more for each who follows the job. */
const change = (id: string) => api.db.$executeRaw`
  UPDATE duework.job_runs SET progress = to_jsonb(repeat(random()::text, 150000)) WHERE id = ${id}::bigint`;

test('readers who never read lose their connections, and their places only with them', async () => {
  const { id } = await enqueueOne();
  const closed = await ask(`/v1/jobs/${id}/events`);
  await waitUntil('all follow', async () => (await held()) === READERS);
  await waitUntil('all are cut off', async () => (await change(id), (await held()) === 0));
  await areGone(closed);
  expect(await held()).toBe(0);
});

test('readers who do not read the rest of a stream that has ended lose their connections', async () => {
  let [places, followed] = [0, 0];
  const streamEvents = createStreams(
    { isStopping: () => false },
    new AccessWatch({ authorize: async () => principal }),
    new Share(100, 'streams', (now) => (places = now)),
  );
  const app = new Hono<ApiEnv>().get('/', (c) => {
    c.set('principal', principal);
    return streamEvents(c, (sink) => {
      followed++;
      const timer = setTimeout(() => {
        sink.send({ event: 'job', id: '1', data: 'x'.repeat(12_000_000) });
        sink.end();
      });
      return () => clearTimeout(timer);
    });
  });
  const server = createServer({ fetch: (request, env) => app.fetch(request, env) });
  const closed = await ask('/', String(await listenOn(server, '127.0.0.1', 0)));
  // the first may be cut off before the last is let in
  await waitUntil('each has followed, and all are cut off', () => followed === READERS && places === 0);
  await areGone(closed);
  await countOf(server, 0);
  server.close();
});

test('a client that does not read its answer loses its connection after a while', async () => {
  const body = 'x'.repeat(30_000_000);
  const limits = { headersMs: 1_000, requestMs: 1_000, readMs: 500 };
  const server = createServer({ fetch: () => new Response(body) }, limits);
  const port = await listenOn(server, '127.0.0.1', 0);
  const closed = await ask('/', String(port));
  await areGone(closed);
  await countOf(server, 0);
  server.close();
});

test('a client whose request does not arrive in time, and that reads no answer, loses its connection', async () => {
  const server = createServer({ fetch: () => new Response() }, { headersMs: 500, requestMs: 500, readMs: 500 });
  const port = await listenOn(server, '127.0.0.1', 0);
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).pause();
  socket.on('error', () => {});
  sockets.push(socket);
  socket.write('GET / HTTP/1.1\r\nHost: ');
  await countOf(server, 1);
  await countOf(server, 0);
  server.close();
});
