import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkDatabase } from './check-database.js';
import { connectPg } from './connect-pg.js';
import { connectPrisma } from './connect-prisma.js';
import type { DatabaseErrorCode } from './database-error.js';
import { PrismaClient } from './generated/client.js';
import type { RawStatement } from './raw-queryable.js';
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.js';
import { withServer } from './testing/with-server.js';
import { PrismaPg } from '@prisma/adapter-pg';

let migrated: TestDatabase;
let empty: TestDatabase;
let hung: Server;

beforeAll(async () => {
  [migrated, empty] = await Promise.all([createTestDatabase(), createTestDatabase({ isMigrated: false })]);
  // Takes connections and never answers.
  hung = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
});
afterAll(async () => {
  hung.close();
  await Promise.all([migrated.drop(), empty.drop()]);
});

async function check(url: string): Promise<void> {
  const db = connectPrisma({ url, connectTimeoutMs: 500 });
  try {
    await checkDatabase(db, url);
  } finally {
    await db.$disconnect();
  }
}

const elsewhere = (change: (url: URL) => void): string => {
  const url = new URL(migrated.url);
  change(url);
  return url.toString();
};

const refusal = (code: DatabaseErrorCode, problem: RegExp, fix: RegExp): object =>
  expect.objectContaining({
    code,
    problem: expect.stringMatching(problem),
    fix: expect.stringMatching(fix),
    message: expect.not.stringMatching(/\n/),
  });

test('a migrated database is accepted in one round trip', async () => {
  const db = connectPrisma({ url: migrated.url });
  let statements = 0;
  const counting = {
    $queryRaw: <T>(query: RawStatement): Promise<T> => ((statements += 1), db.$queryRaw<T>(query as never)),
  };
  await checkDatabase(counting, migrated.url);
  await db.$disconnect();
  expect(statements).toBe(1);
});

test('a database that nobody migrated is refused with the command to run', async () => {
  await expect(check(empty.url)).rejects.toEqual(
    refusal('database_not_migrated', /lacks (\d+) of \1 migrations/, /npx duework migrate/),
  );
});

test('a server that does not answer is refused, and the error has its address', async () => {
  await expect(check(elsewhere((url) => (url.port = '1')))).rejects.toEqual(
    refusal('database_unreachable', /127\.0\.0\.1:1\/.*nothing answers/, /Start PostgreSQL/),
  );
});

test('a host whose name is unknown is refused', async () => {
  await expect(check(elsewhere((url) => (url.hostname = 'nowhere.invalid')))).rejects.toEqual(
    refusal('database_unreachable', /nowhere\.invalid/, /DATABASE_URL/),
  );
});

test('a server that never answers is refused after the time limit', async () => {
  const { port } = hung.address() as { port: number };
  await expect(check(elsewhere((url) => (url.port = String(port))))).rejects.toEqual(
    refusal('database_unreachable', /in time/, /firewall/),
  );
});

test('a database that does not exist is refused with the statement that creates it', async () => {
  await expect(check(elsewhere((url) => (url.pathname = '/no_such_database')))).rejects.toEqual(
    refusal('database_not_found', /no_such_database/, /CREATE DATABASE "no_such_database"/),
  );
});

test('a role that does not exist is refused, and its password is not shown', async () => {
  const error: unknown = await check(
    elsewhere((url) => ((url.username = 'nobody_here'), (url.password = 's3cret'))),
  ).catch((e: unknown) => e);
  expect(error).toEqual(refusal('database_auth_failed', /nobody_here/, /DATABASE_URL/));
  expect(String(error)).not.toContain('s3cret');
});

test('a session that is not UTC is refused with the fix', async () => {
  const adapter = new PrismaPg({ connectionString: migrated.url, options: '-c TimeZone=Europe/Berlin' });
  const db = new PrismaClient({ adapter });
  await expect(checkDatabase(db, migrated.url)).rejects.toEqual(
    refusal('database_not_utc', /Europe\/Berlin/, /SET TimeZone = 'UTC'/),
  );
  await db.$disconnect();
});

test('PostgreSQL 13 is refused', async () => {
  const old = {
    $queryRaw: <T>(): Promise<T> => Promise.resolve([{ version: 130_014, time_zone: 'UTC', migrations: '[]' }] as T),
  };
  await expect(checkDatabase(old, migrated.url)).rejects.toEqual(refusal('database_version_unsupported', /13/, /14/));
});

test.each([
  ['Prisma', connectPrisma],
  ['pg', connectPg],
] as const)(
  'a changed migration is refused by name, and an unknown newer one accepted, through %s',
  async (_, connect) => {
    const database = await createTestDatabase();
    const db = connect({ url: database.url });
    const run = (sql: string) => withServer(database.url, (client) => client.query(sql));
    await run(`INSERT INTO duework.migrations (name, checksum) VALUES ('29990101000000_later', 'x')`);
    await checkDatabase(db, database.url);
    await run(`UPDATE duework.migrations SET checksum = 'edited' WHERE name LIKE '%_schedules'`);
    await expect(checkDatabase(db, database.url)).rejects.toEqual(
      refusal('database_migration_failed', /20261120120300_schedules/, /release that migrated/),
    );
    await db.$disconnect();
    await database.drop();
  },
);
