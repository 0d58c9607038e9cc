import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { defineJob } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { explainJob } from '@duework/operate';
import { enqueue, getJob } from '@duework/queue-core';
import { z } from 'zod';
import { startFixture } from './testing/start-fixture.js';
import { startVisited } from './testing/start-visited.js';
import { killWorkers } from './testing/start-worker-process.js';

const visit = defineJob({ type: 'visit', payload: z.object({ url: z.url() }) });
let database: TestDatabase;
let db: PgClient;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 2 });
});
afterEach(() => killWorkers());
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

test('a handler that never ends between two deploys is counted, told by explain, and raises an alert', async () => {
  let id = '';
  const deploy = async (): Promise<void> => {
    const site = await startVisited();
    const env = { DATABASE_URL: database.url, WORKER_PORT: 'none', SHUTDOWN_DEADLINE_MS: '0' };
    const worker = startFixture('worker', { env, args: [], nodeArgs: [] });
    if (id === '') ({ id } = await enqueue(db, visit, { url: site.url }));
    else
      await db.$queryRaw({
        text: `UPDATE duework.job_runs SET payload = $1::text::jsonb`,
        values: [JSON.stringify({ url: site.url })],
      });
    await worker.line('worker.started');
    await site.visited;
    worker.signal('SIGTERM');
    expect(await worker.ended).toBe(0);
    site.stop();
    expect(
      worker.lines.filter(({ msg, alert }) => msg === 'alert.raised' && alert === 'job_released_too_often'),
    ).toEqual([]);
  };
  await deploy();
  await deploy();
  expect((await getJob(db, id)).job).toMatchObject({ status: 'queued', attempts: 0, releases: 2 });
  expect((await explainJob(db, id)).further).toMatchObject([
    { code: 'released', facts: { releases: 2 }, sentence: expect.stringMatching(/given it back 2 times while it ran/) },
  ]);
  await deploy();
  // the contract says: more than two
  const last = startFixture('worker', {
    env: { DATABASE_URL: database.url, WORKER_PORT: 'none' },
    args: [],
    nodeArgs: [],
  });
  expect(await last.line('alert.raised', { alert: 'job_released_too_often' })).toMatchObject({
    facts: { type: 'visit', id, releases: 3, limit: 2 },
  });
});
