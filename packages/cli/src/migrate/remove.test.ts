import { connectPg } from '@duework/database';
import { createTestDatabase, type TestDatabase, withServer } from '@duework/database/testing';
import { enqueue } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { echo } from '@duework/testing/fixtures';
import { defineCatalog } from '@duework/contracts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createProgram } from '../create-program.js';
import { programParts } from '../testing/program-parts.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const query = (text: string) => withServer(database.url, (client) => client.query(text));
const name = (): string => new URL(database.url).pathname.slice(1);
const isThere = async (): Promise<boolean> =>
  (await query(`SELECT to_regnamespace('duework') IS NOT NULL AS is`)).rows[0].is;

async function remove(...more: readonly string[]): Promise<string> {
  let said = '';
  const parts = programParts({ databaseUrl: () => database.url, write: (text) => (said += text) });
  await createProgram(parts).parseAsync(['remove', ...more], { from: 'user' });
  return said;
}

/** A client of the database while `act` runs. */
async function withDb<T>(act: (db: ReturnType<typeof connectPg>) => Promise<T>): Promise<T> {
  const db = connectPg({ url: database.url, poolSize: 2 });
  try {
    return await act(db);
  } finally {
    await db.$disconnect();
  }
}

test('it says what would go and what stays, and drops nothing', async () => {
  await withDb((db) => enqueue(db, echo, { n: 1 }));
  const said = await remove();
  expect(said).toContain(`drop the schema duework of ${name()}: 1 jobs that wait or run, 0 schedules`);
  expect(said).toMatch(/\d+ (kB|MB) in all\./);
  expect(said).toContain(`npx duework remove --confirm ${name()}\n`);
  expect(await isThere()).toBe(true);
});

test('it drops the schema if the name of the database is typed, and no other one', async () => {
  await query('CREATE TABLE orders (id bigint PRIMARY KEY)');
  await expect(remove('--confirm', 'production')).rejects.toMatchObject({ code: 'not_confirmed' });
  expect(await isThere()).toBe(true);
  expect(await remove('--confirm', name())).toContain('the schema duework is gone');
  expect(await isThere()).toBe(false);
  expect((await query(`SELECT to_regclass('orders') IS NOT NULL AS is`)).rows[0].is).toBe(true);
  expect(await remove('--confirm', name())).toContain('nothing is left to drop');
});

test('while a worker runs, nothing is dropped; once it has stopped, it is', async () => {
  await withDb(async (db) => {
    const { worker } = await startTestWorker(db, {
      name: 'w1',
      catalog: defineCatalog([echo]),
      handlers: { echo: () => {} },
    });
    while ((await query('SELECT FROM duework.worker_contracts')).rowCount === 0);
    await expect(remove('--confirm', name())).rejects.toMatchObject({
      code: 'workers_run',
      message: expect.stringMatching(/^Nothing was dropped: w1 runs here\. Stop them first/),
    });
    expect(await remove()).toContain('These workers run, and must be stopped before: w1.');
    await worker.stop({ deadlineMs: 0 });
  });
  expect(await remove('--confirm', name())).toContain('is gone');
});

test.each([
  ['view public.report', 'CREATE VIEW report AS SELECT id FROM duework.job_runs'],
  [
    'table constraint ours on public.notes',
    'CREATE TABLE notes (run_id bigint CONSTRAINT ours REFERENCES duework.job_runs)',
  ],
  ['default value for public.notes.id', 'CREATE TABLE notes (id bigint DEFAULT duework.next_run_id())'],
  ['table column public.notes.run', 'CREATE TABLE notes (id bigint, run duework.job_runs)'],
  [
    'function public.first_of(duework.job_runs)',
    'CREATE FUNCTION first_of(duework.job_runs) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  ],
])('what others have made of it is not dropped with it: %s', async (what, statement) => {
  await query(statement);
  await expect(remove('--confirm', name())).rejects.toMatchObject({
    code: 'used_by_others',
    message: `Nothing was dropped, because these would be, too: ${what}. Drop or change them first.`,
  });
  expect(await isThere()).toBe(true);
});

test('while somebody uses its tables, it says so and drops nothing', async () => {
  await withServer(database.url, async (client) => {
    await client.query('BEGIN; SELECT FROM duework.job_runs');
    await expect(remove('--confirm', name())).rejects.toMatchObject({ code: 'in_use' });
    await client.query('COMMIT');
  });
  expect(await isThere()).toBe(true);
});
