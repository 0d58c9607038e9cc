import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { awaitDatabase, type AwaitOptions } from './await-database.js';
import { checkDatabase } from './check-database.js';
import { connectPg } from './connect-pg.js';
import { connectPrisma } from './connect-prisma.js';
import type { DatabaseError } from './database-error.js';
import { migrateDatabase } from './migrate/migrate-database.js';
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.js';
import { openGate, refuseWith } from './testing/open-gate.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const LONG_MS = 600_000;
/** What a wait says, and the checks that were made until it ended. */
async function awaitChecked(url: string, connect: typeof connectPg, options: Partial<AwaitOptions> = {}) {
  const db = connect({ url, poolSize: 1 });
  const told: DatabaseError[] = [];
  let checks = 0;
  const check = (): Promise<void> => {
    checks++;
    return checkDatabase(db, url);
  };
  const onWait: AwaitOptions['onWait'] = (error, leftMs) => {
    told.push(error);
    options.onWait?.(error, leftMs);
  };
  const failed = await awaitDatabase(check, { waitMs: LONG_MS, ...options, onWait }).then(
    () => null,
    (error: unknown) => error,
  );
  await db.$disconnect();
  return { failed, told: told.map(({ code, problem }) => `${code}: ${problem}`), checks };
}

describe.each([
  ['pg', connectPg],
  ['Prisma', connectPrisma as typeof connectPg],
])('through %s', (_, connect) => {
  test('a server that is not there yet is waited for, which is told once', async () => {
    const gate = await openGate(database.url);
    const { failed, told, checks } = await awaitChecked(gate.url, connect, { onWait: () => void gate.open() });
    gate.close();
    expect([failed, told]).toEqual([null, [expect.stringMatching(/^database_unreachable: .*nothing answers there/)]]);
    expect(checks).toBeGreaterThan(1);
  });

  test.each([
    ['57P03', 'the database system is starting up'],
    ['57P03', 'the database system is shutting down'],
    ['53300', 'sorry, too many clients already'],
    ['53300', 'remaining connection slots are reserved'],
    ['08P01', 'server login has been failing, try again later (server_login_retry)'],
    ['08006', 'the pooler has lost its server'],
  ])('a server that says %s, %s, is waited for', async (code, message) => {
    const gate = await openGate(database.url);
    let isReady = false;
    await gate.open((client) => {
      if (!isReady) refuseWith(client, code, message);
      return !isReady;
    });
    const { failed, told } = await awaitChecked(gate.url, connect, { onWait: () => (isReady = true) });
    gate.close();
    expect([failed, told]).toEqual([null, [expect.stringContaining('database_unreachable: ')]]);
  });

  test.each([
    ['28P01', 'password authentication failed for user "postgres"', 'database_auth_failed'],
    ['28000', 'role "postgres" is not permitted to log in', 'database_auth_failed'],
    ['3D000', 'database "shop" does not exist', 'database_not_found'],
    ['08P01', 'unsupported startup parameter: options', 'database_unreachable'],
  ])('a server that says %s, %s, is not', async (code, message, ours) => {
    const gate = await openGate(database.url);
    await gate.open((client) => {
      refuseWith(client, code, message);
      return true;
    });
    const { failed, told, checks } = await awaitChecked(gate.url, connect);
    gate.close();
    expect([failed, told, checks]).toMatchObject([{ code: ours, isTemporary: false }, [], 1]);
  });
});

test('a host that does not answer is waited for, and so is one whose name is not known yet', async () => {
  for (const hostname of ['postgres.invalid', '203.0.113.7']) {
    const url = Object.assign(new URL(database.url), { hostname }).toString();
    const stopping = new AbortController();
    const connect: typeof connectPg = (options) => connectPg({ ...options, connectTimeoutMs: 200 });
    const { told } = await awaitChecked(url, connect, { signal: stopping.signal, onWait: () => stopping.abort() });
    expect(told).toEqual([expect.stringContaining('database_unreachable: ')]);
  }
});

test('TLS that is refused is told at once', async () => {
  const { failed, checks } = await awaitChecked(`${database.url}?sslmode=require`, connectPg);
  expect([failed, checks]).toMatchObject([{ code: 'database_unreachable', isTemporary: false }, 1]);
});

test('a file of the URL that is not there is named, and told at once', async () => {
  const { failed, checks } = await awaitChecked(`${database.url}?sslrootcert=/nowhere/ca.pem`, connectPg);
  expect([failed, checks]).toMatchObject([{ problem: expect.stringContaining('/nowhere/ca.pem cannot be read') }, 1]);
});

test('a database that is not migrated yet is waited for', async () => {
  const empty = await createTestDatabase({ isMigrated: false });
  let migrated: Promise<unknown> = Promise.resolve();
  const { failed, told } = await awaitChecked(empty.url, connectPg, {
    onWait: () => void (migrated = migrateDatabase({ url: empty.url })),
  });
  await migrated;
  await empty.drop();
  expect([failed, told]).toEqual([null, [expect.stringMatching(/^database_not_migrated: .*lacks \d+ of \d+/)]]);
});

test('when the time is over, the last error is thrown; with 0 the first one is, and nothing is told', async () => {
  const gate = await openGate(database.url);
  const late = await awaitChecked(gate.url, connectPg, { waitMs: 1 });
  expect([late.failed, late.told.length, late.checks]).toMatchObject([{ code: 'database_unreachable' }, 1, 2]);
  const atOnce = await awaitChecked(gate.url, connectPg, { waitMs: 0 });
  expect([atOnce.failed, atOnce.told, atOnce.checks]).toMatchObject([{ code: 'database_unreachable' }, [], 1]);
});

test('a signal ends the wait', async () => {
  const gate = await openGate(database.url);
  const stopping = new AbortController();
  const waited = await awaitChecked(gate.url, connectPg, { signal: stopping.signal, onWait: () => stopping.abort() });
  expect([waited.failed, waited.checks]).toMatchObject([{ name: 'AbortError' }, 1]);
});

test('a migration waits for a server that is not there yet, and says so', async () => {
  const gate = await openGate(database.url);
  const lines: string[] = [];
  const onProgress = (line: string): void => {
    lines.push(line);
    void gate.open();
  };
  expect(await migrateDatabase({ url: gate.url, onProgress })).toMatchObject({ appliedMigrationNames: [] });
  gate.close();
  expect(lines).toEqual([expect.stringMatching(/^Waiting up to 60 s: Cannot reach PostgreSQL at .*nothing answers/)]);
});
