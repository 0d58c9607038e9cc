import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase } from '@duework/database/testing';
import { runDoctor } from '@duework/operate';
import { findSchedules } from '@duework/schedules';
import { startFixture } from './testing/start-fixture.js';
import { killWorkers, type WorkerProcess } from './testing/start-worker-process.js';

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

/** A worker of `program` whose code declares these schedules. */
function start(program: string, keys: string): WorkerProcess {
  return startFixture('scheduled', {
    env: { DATABASE_URL: database.url, WORKER_PORT: 'none', PROGRAM_NAME: program, SCHEDULES: keys },
    args: [],
    nodeArgs: [],
  });
}

async function deploy(program: string, keys: string): Promise<WorkerProcess> {
  const worker = start(program, keys);
  await worker.line('worker.started');
  return worker;
}

const schedules = async (): Promise<string[]> => (await findSchedules(db)).schedules.map(({ key }) => key);

const sameName = async () =>
  (await runDoctor(db)).findings
    .filter(({ about }) => about.startsWith('program '))
    .map(({ code, about }) => [code, about]);

test('two programs in one database keep their own schedules, and each removes only those that it no longer declares', async () => {
  await deploy('billing', 'invoices,reminders');
  await deploy('warehouse', 'stock');
  expect(await schedules()).toEqual(['invoices', 'reminders', 'stock']);
  await deploy('billing', 'invoices');
  expect(await schedules()).toEqual(['invoices', 'stock']);
  const thief = start('shipping', 'parcels,stock');
  expect(await thief.ended).toBe(1);
  expect(thief.errors.join('\n')).toMatch(/"warehouse" and "[^"]+" both declare the schedule "stock"/);
  expect(await schedules()).toEqual(['invoices', 'stock']);
});

test('the doctor tells of two living programs of one name that declare different lists, and not of a deploy', async () => {
  const old = await deploy('shop', 'shop:a');
  await deploy('shop', 'shop:a,shop:b');
  expect(await sameName()).toEqual([]);
  // as if both had lived for longer than a deploy takes
  const later = "UPDATE duework.worker_contracts SET started_at = now() - interval '20 minutes'";
  await db.$queryRaw({ text: later, values: [] });
  expect(await sameName()).toEqual([['program_declared_twice', 'program shop']]);
  old.signal('SIGTERM');
  expect(await old.ended).toBe(0);
  expect(await sameName()).toEqual([]);
});
