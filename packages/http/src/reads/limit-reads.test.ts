import type { Transactable } from '@duework/queue-core';
import { queryRows, sql, type Statement } from '@duework/sql';
import { useTestDatabase } from '@duework/testing/fixtures';
import { describe, expect, test } from '@jest/globals';
import { waitUntil } from '../testing/wait-until.js';
import { limitReads } from './limit-reads.js';

const database = useTestDatabase();

const CLIENTS: Readonly<Record<string, () => Transactable>> = {
  Prisma: () => database.connect({ poolSize: 2 }),
  connectPg: () => database.connectPg({ poolSize: 2 }),
};
const ASLEEP = sql`SELECT pg_sleep(600)::text AS slept`;

const asleep = async (): Promise<number> => {
  const [row] = await database.db.$queryRaw<[{ n: number }]>`
    SELECT count(*)::integer AS n FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()`;
  return row.n;
};

describe.each(Object.entries(CLIENTS))('through %s', (_name, open) => {
  test('what is read is what it is without a limit', async () => {
    const rows = await queryRows(limitReads(open()), sql`SELECT ${'x'}::text AS text, 7 AS number`);
    expect(rows).toEqual([{ text: 'x', number: 7 }]);
  });

  test('a statement that takes too long is cancelled in the server, and throws query_too_slow', async () => {
    await expect(queryRows(limitReads(open(), undefined, 50), ASLEEP)).rejects.toMatchObject({
      code: 'query_too_slow',
    });
    await waitUntil('nothing sleeps', async () => (await asleep()) === 0);
  });

  test('a statement whose asker has left is cancelled in the server', async () => {
    const gone = new AbortController();
    const refusal = queryRows(limitReads(open(), gone.signal), ASLEEP).catch((error: unknown) => error);
    await waitUntil('it sleeps', async () => (await asleep()) === 1);
    gone.abort();
    expect(await refusal).toMatchObject({ code: 'query_too_slow' });
    await waitUntil('nothing sleeps', async () => (await asleep()) === 0);
    await expect(queryRows(limitReads(open(), gone.signal), ASLEEP)).rejects.toMatchObject({ code: 'query_too_slow' });
    expect(await asleep()).toBe(0);
  });
});

test('a statement that still waited for a connection is cancelled when it comes to one, and no other one is', async () => {
  const db = database.connect({ poolSize: 2 });
  const others = [1, 2].map(() => db.$queryRaw<[{ n: number }]>`SELECT 1 AS n FROM pg_sleep(1.5)`.then((rows) => rows));
  const gone = new AbortController();
  const waiting = queryRows(limitReads(db, gone.signal), ASLEEP);
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'query_too_slow' });
  for (const other of others) expect(await other).toEqual([{ n: 1 }]);
  await waitUntil('nothing sleeps', async () => (await asleep()) === 0);
  expect(await queryRows(limitReads(db), sql`SELECT 2 AS n`)).toEqual([{ n: 2 }]);
});

test('one statement after the other has one text, so that a client need not keep a new one for each', async () => {
  const texts = new Set<string>();
  const client: Transactable = {
    isTransaction: false,
    $queryRaw: async <T>({ text }: Statement) => (texts.add(text), [] as T),
  };
  for (let n = 0; n < 100; n++) await queryRows(limitReads(client), ASLEEP);
  expect(texts.size).toBeLessThanOrEqual(2);
});

test('a limited client is limited once, and the error of a statement is its own', async () => {
  const twice = limitReads(limitReads(database.db));
  expect(await queryRows(twice, sql`SELECT current_query() LIKE ${'%/*%/*%'}::text AS is_twice`)).toEqual([
    { is_twice: false },
  ]);
  await expect(queryRows(twice, sql`SELECT 1 / 0`)).rejects.toThrow('division by zero');
});
