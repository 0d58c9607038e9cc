import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { serve } from '@hono/node-server';
import { connect, type PrismaClient } from '@scope/db';
import { createTestDatabase } from '@scope/db/testing';
import { catalog, welcomeUser } from '@scope/jobs';
import { createHandlers } from '@scope/worker';
import { findJobs } from 'duework';
import { assertEnqueued, drain } from 'duework/testing';
import { createApp, type AppOptions } from './create-app.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let prisma: PrismaClient;
before(async () => {
  database = await createTestDatabase();
  prisma = connect(database.url);
});
after(async () => {
  await prisma.$disconnect();
  await database.drop();
});

const post = async (body: object): Promise<Response> =>
  createApp(prisma).request('/users', { method: 'POST', body: JSON.stringify(body) });

test('a user who signs up is greeted by the worker', async () => {
  const response = await post({ email: 'ada@example.com' });
  assert.equal(response.status, 201);
  const { id } = (await response.json()) as { id: number };
  await assertEnqueued(prisma, welcomeUser, { payload: { userId: id }, count: 1 });

  const { succeeded } = await drain(prisma, { catalog, handlers: createHandlers(prisma) });
  assert.equal(succeeded, 1);
  assert.notEqual((await prisma.user.findUniqueOrThrow({ where: { id } })).welcomedAt, null);
});

test('a user who is refused leaves no job', async () => {
  const { length } = (await findJobs(prisma)).jobs;
  assert.equal((await post({ email: 'ada@example.com' })).status, 409);
  assert.equal((await findJobs(prisma)).jobs.length, length);
});

/** What the API answers over HTTP to somebody on this machine who shows no key. */
async function ask(path: string, options: AppOptions): Promise<Response> {
  const server = serve({ fetch: createApp(prisma, options).fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
  } finally {
    server.close();
  }
}

test('the console is open to this machine in development', async () => {
  const page = await ask('/console', { isDevelopment: true });
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=UTF-8']);
  assert.equal((await ask('/queue/v1/jobs', { isDevelopment: true })).status, 200);
});

test('elsewhere the queue wants a key', async () => {
  assert.equal((await ask('/queue/v1/jobs', {})).status, 401);
});
