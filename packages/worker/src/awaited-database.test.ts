import { createTestDatabase, openGate, type TestDatabase } from '@duework/database/testing';
import { migrateDatabase } from '@duework/database/migrate';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { startFixture } from './testing/start-fixture.js';
import { killWorkers, type WorkerProcess } from './testing/start-worker-process.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => killWorkers());
afterAll(() => database.drop());

const start = (env: Readonly<Record<string, string>>): WorkerProcess => startFixture('worker', { env });

async function stop(worker: WorkerProcess): Promise<void> {
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
}

test('a worker waits a minute for a database that is not there yet, says so once, and answers probes meanwhile', async () => {
  const gate = await openGate(database.url);
  const worker = start({ DATABASE_URL: gate.url });
  expect(await worker.line('database.awaited')).toMatchObject({
    level: 40,
    problem: expect.stringMatching(/^Cannot reach PostgreSQL at 127\.0\.0\.1:\d+\/.*: nothing answers there\.$/),
    remedy: expect.stringContaining('Start PostgreSQL'),
    waitMs: 60_000,
  });
  const address = await worker.address();
  expect((await fetch(`${address}/livez`)).status).toBe(200);
  const ready = await fetch(`${address}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'starting' }]);
  await gate.open();
  await worker.line('worker.started');
  await stop(worker);
  gate.close();
  expect(worker.lines.filter(({ msg }) => msg === 'database.awaited')).toHaveLength(1);
  expect(worker.errors).toEqual([]);
});

test('SIGTERM ends the wait of a worker', async () => {
  const worker = start({ DATABASE_URL: (await openGate(database.url)).url });
  await worker.line('database.awaited');
  await stop(worker);
  expect(worker.errors).toEqual([]);
});

test('a worker that was started before the migrations waits for them', async () => {
  const empty = await createTestDatabase({ isMigrated: false });
  const worker = start({ DATABASE_URL: empty.url });
  expect(await worker.line('database.awaited')).toMatchObject({
    problem: expect.stringMatching(/^The database lacks \d+ of \d+ migrations\.$/),
    remedy: 'Run: npx duework migrate',
  });
  await migrateDatabase({ url: empty.url });
  await worker.line('worker.started');
  await stop(worker);
  await empty.drop();
});

test('a database that has not come when the time is over is one line on stderr', async () => {
  const worker = start({ DATABASE_URL: (await openGate(database.url)).url, DATABASE_WAIT_MS: '1' });
  expect(await worker.ended).toBe(1);
  expect(worker.errors).toEqual([expect.stringMatching(/^Cannot reach PostgreSQL at .*nothing answers there/)]);
});

test('a database that does not exist is told at once', async () => {
  const nowhere = Object.assign(new URL(database.url), { pathname: '/nowhere' }).toString();
  const worker = start({ DATABASE_URL: nowhere });
  expect(await worker.ended).toBe(1);
  expect(worker.errors).toEqual([expect.stringMatching(/^There is no database "nowhere"/)]);
  expect(worker.lines.map(({ msg }) => msg)).not.toContain('database.awaited');
});

test('a worker starts from PGHOST and its siblings alone', async () => {
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const variables = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
  const worker = start({ ...variables, PGDATABASE: pathname.slice(1) });
  await worker.line('worker.started');
  await stop(worker);
});

test('a worker waits as well where the database answers its first questions, and has no room for the others', async () => {
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const role = `narrow_${database.name.slice(-12)}`;
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'narrow' CONNECTION LIMIT 2`);
  const { username } = new URL(database.url);
  await admin.query(`GRANT "${username}" TO ${role}`);
  const url = Object.assign(new URL(database.url), { username: role, password: 'narrow' });
  const worker = start({ DATABASE_URL: url.toString() });
  expect(await worker.line('database.awaited')).toMatchObject({ problem: expect.stringContaining('too many') });
  await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
  await worker.line('worker.started');
  await stop(worker);
  expect(worker.errors).toEqual([]);
  await admin.query(`DROP ROLE ${role}`);
  await admin.end();
});
