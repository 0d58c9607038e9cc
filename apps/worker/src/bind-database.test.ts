import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, connectPrisma, Prisma, type PgClient, type PrismaClient } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { cancelJob, createPostgresStore, createWorker, enqueue, getJob, systemClock } from '@duework/queue-core';
import { pino } from 'pino';
import { z } from 'zod';
import { until } from '@duework/worker/testing';
import { bindDatabase, type AttemptDatabase } from './bind-database.js';

const slowReport = defineJob({ type: 'slow_report', payload: z.object({}), timeout: '1h', maxAttempts: 1 });
const hurriedReport = defineJob({ type: 'hurried_report', payload: z.object({}), timeout: '300ms', maxAttempts: 1 });
const catalog = defineCatalog([slowReport, hurriedReport]);

let database: TestDatabase;
let db: PrismaClient;
let engineDb: PgClient;
let worker: ReturnType<typeof startWorker>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connectPrisma({ url: database.url, poolSize: 1 });
  engineDb = connectPg({ url: database.url, poolSize: 4 });
  worker = startWorker();
  await worker.start();
});
afterAll(async () => {
  await worker.stop({ deadlineMs: 0 });
  await Promise.all([db.$disconnect(), engineDb.$disconnect()]);
  await database.drop();
});

function startWorker() {
  const sleep = async ({ transaction }: AttemptDatabase): Promise<void> =>
    transaction(async (tx) => void (await tx.$queryRaw`SELECT pg_sleep(3600)::text AS slept`));
  return createWorker({
    name: 'bound',
    store: createPostgresStore({ db: engineDb }),
    catalog,
    middleware: bindDatabase({ db, cancelThrough: engineDb, catalog, clock: systemClock }),
    handlers: { slow_report: sleep, hurried_report: sleep },
    emit: () => {},
    logOf: () => pino({ level: 'silent' }),
    pollIntervalMs: 20,
  });
}

const isSleeping = async (): Promise<boolean> => {
  const rows = await engineDb.$queryRaw<object[]>(Prisma.sql`
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%' AND pid <> pg_backend_pid()`);
  return rows.length > 0;
};

test("a handler's statement that runs for an hour ends when its run is cancelled", async () => {
  const { id } = await enqueue(engineDb, slowReport, {});
  await until(isSleeping);
  await cancelJob(engineDb, id);
  await until(async () => (await getJob(engineDb, id)).job.status === 'cancelled');
  expect(await isSleeping()).toBe(false);
});

test("a handler's statement ends with the time limit of its attempt", async () => {
  const { id } = await enqueue(engineDb, hurriedReport, {});
  await until(async () => (await getJob(engineDb, id)).job.status === 'dead');
  expect(await isSleeping()).toBe(false);
});
