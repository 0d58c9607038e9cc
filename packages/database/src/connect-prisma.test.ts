import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { ConnectOptions } from './connect-options.js';
import { connectPg, type PgClient } from './connect-pg.js';
import { connectPrisma } from './connect-prisma.js';
import { Prisma, type PrismaClient } from './generated/client.js';
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.js';
import { startHoldingProxy } from './testing/start-holding-proxy.js';

let database: TestDatabase;
const open: PrismaClient[] = [];
const connect = (...[options]: [Partial<Parameters<typeof connectPrisma>[0]>?]): PrismaClient => {
  const client = connectPrisma({ url: database.url, ...options });
  open.push(client);
  return client;
};
const setting = async (db: PrismaClient, name: string): Promise<string> => {
  const [row] = await db.$queryRaw<[{ value: string }]>(Prisma.sql`SELECT current_setting(${name}::text) AS value`);
  return row.value;
};

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const client of open) await client.$disconnect();
  await database.drop();
});

test('a session is UTC, whatever the URL or the database asks for', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c TimeZone=Asia/Tokyo -c statement_timeout=4321');
  const db = connect({ url: url.toString() });
  expect(await setting(db, 'TimeZone')).toBe('UTC');
  expect(await setting(db, 'statement_timeout')).toBe('4321ms');
});

test('a moment is read back as it was written', async () => {
  const db = connect();
  const at = new Date('2026-07-01T12:34:56.789Z');
  await db.jobAlert.create({ data: { name: 'clock', raisedAt: at, facts: {} } });
  expect((await db.jobAlert.findFirstOrThrow({ where: { name: 'clock' } })).raisedAt).toEqual(at);
  const [row] = await db.$queryRaw<
    [{ text: string }]
  >`SELECT raised_at::text AS text FROM duework.job_alerts WHERE name = 'clock'`;
  expect(row.text).toBe('2026-07-01 12:34:56.789+00');
});

test("the engine's sessions plan through indexes only, and other sessions are not changed", async () => {
  const [engine, app] = [connect({ role: 'engine' }), connect()];
  for (const name of ['enable_seqscan', 'enable_bitmapscan', 'jit']) expect(await setting(engine, name)).toBe('off');
  expect(await setting(engine, 'TimeZone')).toBe('UTC');
  expect(await setting(app, 'enable_seqscan')).toBe('on');
});

test("the engine's statements are planned once per connection, and not through a pooler", async () => {
  const count = async (db: PrismaClient): Promise<number> => {
    for (let i = 0; i < 3; i += 1) await db.$queryRaw`SELECT 1 AS one`;
    const [row] = await db.$queryRaw<
      [{ count: number }]
    >`SELECT count(*)::int AS count FROM pg_prepared_statements WHERE name LIKE 'duework%'`;
    return row.count;
  };
  const pooled = new URL(database.url);
  pooled.searchParams.set('pgbouncer', 'true');
  expect(await count(connect({ role: 'engine', poolSize: 1 }))).toBe(2);
  expect(await count(connect({ role: 'engine', poolSize: 1, url: pooled.toString() }))).toBe(0);
  expect(await setting(connect({ role: 'engine', url: pooled.toString() }), 'enable_seqscan')).toBe('on');
});

test('a connection that the server kills is reported and replaced, and the process goes on', async () => {
  const lost: Error[] = [];
  const killed = new Promise<void>((resolve) => {
    const db = connect({
      applicationName: 'victim',
      poolSize: 2,
      onConnectionLost: (error) => (lost.push(error), resolve()),
    });
    void db.$queryRaw`SELECT 1 AS one`.then(
      () => connect().$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'`,
    );
  });
  await killed;
  expect(lost[0]?.message).toMatch(/terminat/);
  const victim = open.at(-2) as PrismaClient;
  expect(await victim.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
});

test('a transaction waits for a connection of a busy pool for as long as a statement does', async () => {
  const db = connect({ poolSize: 1 });
  let finish = (): void => {};
  const begun = new Promise<void>((resolve) => {
    void db.$transaction(async () => {
      resolve();
      await new Promise<void>((done) => (finish = done));
    });
  });
  await begun;
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  try {
    const waiting = [db.$transaction((tx) => setting(tx as PrismaClient, 'TimeZone')), setting(db, 'TimeZone')];
    await jest.advanceTimersByTimeAsync(4_900);
    finish();
    expect(await Promise.all(waiting)).toEqual(['UTC', 'UTC']);
  } finally {
    jest.useRealTimers();
  }
});

/** The server ends the session in the same packet in which it accepts a connection for a transaction. */
async function sayGoodbye(
  connectBy: (options: ConnectOptions) => Pick<PgClient, '$transaction' | '$disconnect'>,
): Promise<void> {
  const proxy = await startHoldingProxy(database.url);
  const lost: string[] = [];
  const db = connectBy({
    url: proxy.url,
    applicationName: 'goodbye',
    onConnectionLost: ({ message }) => lost.push(message),
  });
  // a parameter that the server reports when it accepts a client
  proxy.holdFrom('server_version');
  const unlucky = db.$transaction((tx) => tx.$queryRaw(Prisma.sql`SELECT 1 AS n`));
  unlucky.catch(() => {});
  await proxy.heard('server_version');
  await connect().$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'goodbye'`;
  await proxy.heard('terminating connection');
  proxy.letGo();

  await expect(unlucky).rejects.toThrow('connection error');
  expect(lost).toEqual([expect.stringContaining('terminating connection')]);
  expect(await db.$transaction((tx) => tx.$queryRaw(Prisma.sql`SELECT 2 AS n`))).toEqual([{ n: 2 }]);
  await db.$disconnect();
  proxy.stop();
}

test('a server that says goodbye in the packet that opens a connection for a transaction does not end the process', () =>
  sayGoodbye(connectPrisma));

test('a server that says goodbye in the packet that opens a connection does not end the process through `pg` either', () =>
  sayGoodbye(connectPg));
