import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectPrisma } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { useTestApi } from '../../testing/use-test-api.js';

/** Takes connections and never answers. */
const callers = new Set<Socket>();
const hung = createServer((socket) => callers.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
let empty: TestDatabase;
beforeAll(async () => {
  empty = await createTestDatabase({ isMigrated: false });
});
afterAll(async () => {
  await unmigratedDb?.$disconnect();
  await empty.drop();
  // Else the pool would wait for its connection until the time limit.
  for (const caller of callers) caller.destroy();
  hung.close();
});
let unmigratedDb: ReturnType<typeof connectPrisma> | undefined;

const api = useTestApi();
const hanging = useTestApi(() => ({
  db: connectPrisma({
    url: `postgres://postgres@127.0.0.1:${(hung.address() as AddressInfo).port}/x`,
    connectTimeoutMs: 30_000,
  }),
}));
const unmigrated = useTestApi(() => ({ db: (unmigratedDb = connectPrisma({ url: empty.url })) }));

test('a process is ready when its database is migrated', async () => {
  expect((await api.get('/readyz')).body).toMatchObject({ status: 'ready' });
});

test('a process is ready though no worker runs, and says so, with how many jobs wait', async () => {
  const { db } = api;
  const noWorker = (waiting: number, message: string) => ({
    status: 'ready',
    warning: { code: 'no_worker', waiting, message },
  });
  expect((await api.get('/readyz')).body).toEqual(noWorker(0, 'No worker is running.'));
  await db.$executeRaw`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'default', 'greet', 1, 5, now() + n * interval '1 hour', '{}', 1 FROM generate_series(-1, 3) AS n`;
  expect((await api.get('/readyz')).body).toEqual(noWorker(2, 'No worker is running, and 2 due jobs wait.'));
  await db.$executeRaw`
    INSERT INTO duework.worker_contracts (worker, queues, contracts) VALUES ('w', '{mail}', '{}')`;
  expect((await api.get('/readyz')).body).toEqual({ status: 'ready' });
});

test('an idle connection is kept for longer than load balancers keep theirs, which would answer 502', async () => {
  expect((await api.get('/livez')).headers.get('keep-alive')).toBe('timeout=620');
});

test('a process whose database hangs answers within a second that it is not ready, and is alive', async () => {
  const startedMs = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 }, () => hanging.get('/readyz')));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
  // A second, and much time for a slow machine; the connection itself would wait for thirty.
  expect(performance.now() - startedMs).toBeLessThan(15_000);
  expect((await hanging.get('/livez')).status).toBe(200);
});

test('a process whose database was not migrated is not ready, and only the log says what is missing', async () => {
  const answer = await unmigrated.get('/readyz');
  expect([answer.status, answer.body.code]).toEqual([503, 'not_ready']);
  expect(answer.text).not.toContain('npx duework migrate');
  expect(JSON.stringify(unmigrated.logged)).toContain('npx duework migrate');
});
