import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import {
  cancelJob,
  createPostgresStore,
  createWorker,
  enqueue,
  readUnservedJobs,
  type WorkerOptions,
} from '@duework/queue-core';
import { pino } from 'pino';
import { z } from 'zod';
import { createFact } from '../testing/create-fact.js';
import { until } from '../testing/until.js';
import { createProbeServer } from './create-probe-server.js';
import { judgeReadiness } from './judge-readiness.js';
import { listenOn } from './listen-on.js';

const stubborn = defineJob({ type: 'ignores_its_signal', payload: z.object({}), timeout: '100ms', maxAttempts: 1 });
const catalog = defineCatalog([stubborn]);
let database: TestDatabase;
let db: PgClient;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 4 });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

/** A worker with one slot, and what its /readyz says. */
async function startWorker(options: Partial<WorkerOptions<typeof catalog>>) {
  const log = pino({ level: 'silent' });
  const worker = createWorker({
    name: 'probed',
    store: createPostgresStore({ db }),
    catalog,
    handlers: { ignores_its_signal: () => {} },
    emit: () => {},
    logOf: () => log,
    concurrency: 1,
    pollIntervalMs: 20,
    graceMs: 50,
    ...options,
  });
  await worker.start();
  const server = createProbeServer({
    registry: null,
    refreshGauges: async () => {},
    readReadiness: async (isVerbose) => ({
      ...judgeReadiness('running', true, worker.activity()),
      ...(isVerbose ? { unserved: await readUnservedJobs(db) } : {}),
    }),
    log,
  });
  const port = await listenOn(server, { host: '127.0.0.1', port: 0, isFixed: true, variable: 'WORKER_PORT' });
  const ask = async (query = '') => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz${query}`);
    return { code: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const stop = async (): Promise<void> => {
    await worker.stop({ deadlineMs: 0 });
    server.close();
    server.closeAllConnections();
  };
  const becomes = (status: string): Promise<void> => until(async () => (await ask()).body['status'] === status);
  return { ask, becomes, stop };
}

test('/readyz answers 503 claims_shut while a worker’s brake is on, and 200 when it is off again', async () => {
  const brake = createFact();
  const worker = await startWorker({ brake: { whenOff: () => brake.happened } });
  await worker.becomes('claims_shut');
  expect(await worker.ask()).toEqual({ code: 503, body: { status: 'claims_shut', by: 'brake' } });
  brake.happen();
  await worker.becomes('ready');
  expect((await worker.ask()).code).toBe(200);
  await worker.stop();
});

test('/readyz?verbose names what waits without a worker that can read it, and the worker is ready all the same', async () => {
  const worker = await startWorker({});
  await worker.becomes('ready');
  const newer = defineJob({ type: 'ignores_its_signal', version: 2, payload: z.object({}), past: {} });
  const { id } = await enqueue(db, newer, {});
  await until(async () => ((await worker.ask('?verbose')).body['unserved'] as unknown[]).length === 1);
  expect(await worker.ask('?verbose')).toMatchObject({
    code: 200,
    body: { status: 'ready', unserved: [{ type: 'ignores_its_signal', version: 2, waiting: 1 }] },
  });
  expect((await worker.ask()).body).toEqual({ status: 'ready' });
  await cancelJob(db, id);
  await worker.stop();
});

test('/readyz answers 503 slots_stuck while handlers that ignored their signal hold every slot', async () => {
  const freed = createFact();
  const worker = await startWorker({ handlers: { ignores_its_signal: () => freed.happened } });
  await enqueue(db, stubborn, {});
  await worker.becomes('slots_stuck');
  expect(await worker.ask()).toEqual({ code: 503, body: { status: 'slots_stuck', slots: 1 } });
  freed.happen();
  await worker.becomes('ready');
  await worker.stop();
});

test.each([
  ['starting', true, {}, { status: 'starting' }],
  ['draining', false, { shutBy: 'session' }, { status: 'draining' }],
  ['running', false, { shutBy: 'session' }, { status: 'database_away' }],
  ['running', true, { shutBy: 'session', stuckSlots: 2 }, { status: 'claims_shut', by: 'session' }],
  ['running', true, { shutBy: 'event_loop' }, { status: 'claims_shut', by: 'event_loop' }],
  ['running', true, { stuckSlots: 1 }, { status: 'ready' }],
] as const)(
  'a worker that is %s, with the database up %p and the activity %j, answers %j',
  (state, isUp, activity, readiness) => {
    expect(judgeReadiness(state, isUp, { shutBy: null, stuckSlots: 0, concurrency: 2, ...activity })).toEqual(
      readiness,
    );
  },
);
