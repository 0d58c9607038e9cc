import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cancelOnAbort } from './cancel-on-abort.js';
import type { RawQueryable } from './raw-queryable.js';
import { connectPg, type PgClient } from './connect-pg.js';
import { connectPrisma } from './connect-prisma.js';
import { Prisma, type PrismaClient } from './generated/client.js';
import { createTestDatabase, type TestDatabase } from './testing/create-test-database.js';

let database: TestDatabase;
let other: PgClient;

beforeAll(async () => {
  database = await createTestDatabase();
  other = connectPg({ url: database.url, poolSize: 2 });
});
afterAll(async () => {
  await other.$disconnect();
  await database.drop();
});

const sleep = (seconds: number): Prisma.Sql => Prisma.sql`SELECT pg_sleep(${seconds}::float8)::text AS slept`;
const countSleeping = async (): Promise<number> => {
  const [row] = await other.$queryRaw<[{ count: number }]>(Prisma.sql`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%' AND pid <> pg_backend_pid()`);
  return row.count;
};
const untilItSleeps = async (): Promise<void> => {
  while ((await countSleeping()) === 0) continue;
};
/** A server sends the error before its session is idle, so the caller may know of the end first. */
const untilNoneSleeps = async (): Promise<void> => {
  while ((await countSleeping()) > 0) continue;
};
const raise = (db: RawQueryable, name: string): Promise<unknown> =>
  db.$queryRaw(Prisma.sql`INSERT INTO duework.job_alerts (name, raised_at, facts) VALUES (${name}, now(), '{}')`);
const isRaised = async (name: string): Promise<boolean> =>
  (await other.$queryRaw<object[]>(Prisma.sql`SELECT FROM duework.job_alerts WHERE name = ${name}`)).length > 0;

describe.each([
  ['prisma', connectPrisma],
  ['pg', connectPg],
] as const)('through %s', (client, connect) => {
  let db: PrismaClient;
  beforeAll(() => {
    db = connect({ url: database.url, poolSize: 1 }) as PrismaClient;
  });
  afterAll(() => db.$disconnect());
  const act = <T>(signal: AbortSignal, run: (tx: RawQueryable) => Promise<T>, timeoutMs = 60_000): Promise<T> =>
    cancelOnAbort(db, signal, run, { timeoutMs, cancelThrough: other });

  test('a statement that would run for a minute ends in the database when the signal aborts', async () => {
    const attempt = new AbortController();
    const name = `cancelled through ${client}`;
    const running = act(attempt.signal, async (tx) => {
      await raise(tx, name);
      return tx.$queryRaw(sleep(60));
    });
    await untilItSleeps();
    attempt.abort(new Error('the run is cancelled'));
    await expect(running).rejects.toThrow('the run is cancelled');
    await untilNoneSleeps();
    expect(await isRaised(name)).toBe(false);
    // the connection is as it was, and the cancel hits no later statement on it
    const [row] = await db.$queryRaw<[{ value: string }]>(
      Prisma.sql`SELECT current_setting('statement_timeout') AS value`,
    );
    expect(row.value).toBe('0');
  });

  test('a program that goes on after its statement was cancelled gets no further', async () => {
    const attempt = new AbortController();
    let answered = 0;
    const running = act(attempt.signal, async (tx) => {
      await tx.$queryRaw(sleep(60)).catch(() => {});
      // a failed statement keeps the rest of its transaction from running
      await tx.$queryRaw(sleep(60)).then(() => answered++);
    });
    await untilItSleeps();
    attempt.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    expect(answered).toBe(0);
  });

  test('an abort between two statements rolls back what was written, and the next statement ends as well', async () => {
    const attempt = new AbortController();
    const name = `between through ${client}`;
    const running = act(attempt.signal, async (tx) => {
      await raise(tx, name);
      attempt.abort(new Error('between'));
      await tx.$queryRaw(sleep(60));
    });
    await expect(running).rejects.toThrow('between');
    expect(await isRaised(name)).toBe(false);
  });

  test('a statement that takes longer than the attempt has left is ended by the server', async () => {
    const { signal } = new AbortController();
    const late = act(signal, (tx) => tx.$queryRaw(sleep(60)), 50);
    await expect(late).rejects.toThrow(/statement timeout/);
    await untilNoneSleeps();
  });

  test('a call that waits for a connection ends when its signal aborts', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const holding = act(first.signal, (tx) => tx.$queryRaw(sleep(60)));
    await untilItSleeps();
    let isBegun = false;
    const waiting = act(second.signal, async () => void (isBegun = true));
    second.abort(new Error('no longer wanted'));
    await expect(waiting).rejects.toThrow('no longer wanted');
    first.abort(new Error('enough'));
    await expect(holding).rejects.toThrow('enough');
    expect(await db.$queryRaw(Prisma.sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    expect(isBegun).toBe(false);
  });

  test('a transaction that is not aborted commits', async () => {
    const name = `kept through ${client}`;
    await act(new AbortController().signal, (tx) => raise(tx, name));
    expect(await isRaised(name)).toBe(true);
  });
});

test('the sessions of a pool have the statement_timeout of its options, whatever the URL says', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c statement_timeout=4321');
  const db = connectPrisma({ url: url.toString(), statementTimeoutMs: 1_234 });
  const [row] = await db.$queryRaw<[{ value: string }]>`SELECT current_setting('statement_timeout') AS value`;
  expect(row.value).toBe('1234ms');
  await db.$disconnect();
});
