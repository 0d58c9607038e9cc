import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RawQueryable } from './raw-queryable.js';
import { connectPg, type PgClient } from './connect-pg.js';
import { connectPrisma } from './connect-prisma.js';
import { Prisma } from './generated/client.js';
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.js';

let database: TestDatabase;
const open: { $disconnect(): Promise<void> }[] = [];
const keep = <T extends (typeof open)[number]>(client: T): T => {
  open.push(client);
  return client;
};
const connect = (options: Partial<Parameters<typeof connectPg>[0]> = {}): PgClient =>
  keep(connectPg({ url: database.url, ...options }));
const pooled = (): string => {
  const url = new URL(database.url);
  url.searchParams.set('pgbouncer', 'true');
  return url.toString();
};
const setting = async (db: RawQueryable, name: string): Promise<string> => {
  const [row] = await db.$queryRaw<[{ value: string }]>(Prisma.sql`SELECT current_setting(${name}::text) AS value`);
  return row.value;
};
const raise = (db: RawQueryable, name: string) =>
  db.$queryRaw(Prisma.sql`INSERT INTO duework.job_alerts (name, raised_at, facts) VALUES (${name}, now(), '{}')`);
const raised = async (db: RawQueryable): Promise<string[]> => {
  const rows = await db.$queryRaw<{ name: string }[]>(Prisma.sql`SELECT name FROM duework.job_alerts ORDER BY name`);
  return rows.map(({ name }) => name);
};

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const client of open) await client.$disconnect();
  await database.drop();
});

test('values are sent and read as Prisma sends and reads them', async () => {
  const at = new Date('2026-07-01T12:34:56.789Z');
  const everything = Prisma.sql`
    SELECT 9007199254740993::int8 AS int8, ${7}::int AS int4, ${12n}::int8 AS big, ${0.25}::float8 AS float8, ${'ü"\\'}::text AS text, ${null}::text AS nothing,
      ${at}::timestamptz AS at, ${at}::timestamptz::text AS at_text, ${true}::boolean AS yes, '{"a": [1, null]}'::jsonb AS json, ${['a', 'b,"']}::text[] AS texts`;
  const [row] = await connect().$queryRaw<object[]>(everything);
  expect(row).toEqual({
    int8: 9007199254740993n,
    int4: 7,
    big: 12n,
    float8: 0.25,
    text: 'ü"\\',
    nothing: null,
    at,
    at_text: '2026-07-01 12:34:56.789+00',
    yes: true,
    json: { a: [1, null] },
    texts: ['a', 'b,"'],
  });
  expect((await keep(connectPrisma({ url: database.url })).$queryRaw<object[]>(everything))[0]).toEqual(row);
});

test('a session is UTC and plans through indexes only, whatever the URL asks for; through a pooler the planner is not changed', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c TimeZone=Asia/Tokyo -c enable_seqscan=on -c statement_timeout=4321');
  const db = connect({ url: url.toString() });
  for (const name of ['enable_seqscan', 'enable_bitmapscan', 'jit']) expect(await setting(db, name)).toBe('off');
  expect(await setting(db, 'TimeZone')).toBe('UTC');
  expect(await setting(db, 'statement_timeout')).toBe('4321ms');
  expect(await setting(connect({ url: pooled() }), 'enable_seqscan')).toBe('on');
  expect(await setting(keep(connectPrisma({ url: database.url })), 'enable_seqscan')).toBe('on');
});

test('statements are planned once per connection, and not through a pooler', async () => {
  const count = async (db: RawQueryable): Promise<number> => {
    for (let i = 0; i < 3; i += 1) await db.$queryRaw(Prisma.sql`SELECT 1 AS one`);
    const [row] = await db.$queryRaw<[{ count: number }]>(
      Prisma.sql`SELECT count(*)::int AS count FROM pg_prepared_statements WHERE name LIKE 'duework%'`,
    );
    return row.count;
  };
  expect(await count(connect({ poolSize: 1 }))).toBe(2);
  expect(await count(connect({ poolSize: 1, url: pooled() }))).toBe(0);
});

test('a transaction commits all or nothing, and its connection goes back to the pool', async () => {
  const db = connect({ poolSize: 1 });
  expect(await db.$transaction(async (tx) => (await raise(tx, 'kept'), raised(tx)))).toEqual(['kept']);
  await expect(
    db.$transaction(async (tx) => {
      await raise(tx, 'lost');
      throw new Error('no, thanks');
    }),
  ).rejects.toThrow('no, thanks');
  expect(await raised(db)).toEqual(['kept']);
});

test('a transaction one of whose statements failed does not look committed', async () => {
  const db = connect({ poolSize: 1 });
  const failed = db.$transaction(async (tx) => {
    await raise(tx, 'aborted');
    await raise(tx, 'aborted').catch(() => {});
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await raised(db)).not.toContain('aborted');
});

test('a transaction that takes too long is rolled back, its locks are free, and the next one finds a connection', async () => {
  const db = connect({ poolSize: 1 });
  const late = db.$transaction(
    async (tx) => {
      await raise(tx, 'late');
      await tx.$queryRaw(Prisma.sql`SELECT pg_sleep(60)`);
    },
    { timeout: 50 },
  );
  await expect(late).rejects.toThrow('The transaction took longer than 50 ms.');
  expect(await db.$transaction(async (tx) => (await raise(tx, 'late'), raised(tx)))).toContain('late');
});

test('a connection that the server kills is reported and replaced, and the process goes on', async () => {
  let report: (error: Error) => void = () => {};
  const lost = new Promise<Error>((resolve) => (report = resolve));
  const victim = connect({ applicationName: 'victim-pg', onConnectionLost: report });
  await victim.$connect();
  await connect().$queryRaw(
    Prisma.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim-pg'`,
  );
  expect((await lost).message).toMatch(/terminat/);
  expect(await victim.$queryRaw(Prisma.sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
});

test('the client may be closed twice', async () => {
  const db = connect();
  await db.$connect();
  await Promise.all([db.$disconnect(), db.$disconnect()]);
  await expect(db.$queryRaw(Prisma.sql`SELECT 1 AS one`)).rejects.toThrow('after calling end');
});

test('an error of PostgreSQL keeps its code', async () => {
  await expect(connect().$queryRaw(Prisma.sql`SELECT 1 / 0`)).rejects.toMatchObject({ code: '22012' });
});

test('an idle session that the server ends is no loss, and the pool opens another one', async () => {
  const lost: Error[] = [];
  const db = connect({ role: 'app', poolSize: 1, onConnectionLost: (error) => lost.push(error) });
  const askPid = (): Promise<number | null> =>
    db.$queryRaw<[{ pid: number }]>(Prisma.sql`SELECT pg_backend_pid() AS pid`).then(
      ([{ pid }]) => pid,
      // the server has just ended it
      () => null,
    );
  const first = await askPid();
  await db.$queryRaw(Prisma.sql`SELECT set_config('idle_session_timeout', '1', false)`);
  let next: number | null;
  do next = await askPid();
  while (next === null || next === first);
  expect(lost).toEqual([]);
});
