import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, type PrismaClient } from '@scope/db';
import { createTestDatabase } from '@scope/db/testing';
import { catalog } from '@scope/jobs';
import { createHandlers } from '@scope/worker';
import { findJobs } from 'duework';
import { drain } from 'duework/testing';
import { createApp } from './create-app.js';

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
  const { jobs } = await findJobs(prisma, { type: 'welcome_user' });
  assert.equal(jobs.length, 1);

  const { succeeded } = await drain(prisma, { catalog, handlers: createHandlers(prisma) });
  assert.equal(succeeded, 1);
  assert.notEqual((await prisma.user.findUniqueOrThrow({ where: { id } })).welcomedAt, null);
});

test('a user who is refused leaves no job', async () => {
  const { length } = (await findJobs(prisma)).jobs;
  assert.equal((await post({ email: 'ada@example.com' })).status, 409);
  assert.equal((await findJobs(prisma)).jobs.length, length);
});
