import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';

/** A dump is what PostgreSQL says of each thing, and a restored one what it makes of that: the doctor compares them. */
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Thing {
  readonly name: string;
  readonly of: string;
  readonly text: string;
}
const ask = async (text: string): Promise<Thing[]> => (await client.query<Thing>(text)).rows;
const again = async (text: string): Promise<string> => (await client.query<{ text: string }>(text)).rows[0]!.text;

test('each check of a table is the same when a dump is restored', async () => {
  const checks = await ask(`
    SELECT c.conname AS name, c.conrelid::regclass::text AS of, pg_get_constraintdef(c.oid) AS text
    FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
    WHERE c.connamespace = 'duework'::regnamespace AND c.contype = 'c' AND NOT t.relispartition ORDER BY 1`);
  expect(checks.length).toBeGreaterThan(50);
  for (const { name, of, text } of checks) {
    await client.query(`CREATE TABLE public.restored (LIKE ${of})`);
    await client.query(`ALTER TABLE public.restored ADD CONSTRAINT restored ${text}`);
    const restored = await again(
      `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'restored'`,
    );
    await client.query('DROP TABLE public.restored');
    expect({ name, text: restored }).toEqual({ name, text });
  }
});

test('each view is the same when a dump is restored', async () => {
  const views = await ask(`
    SELECT c.relname AS name, '' AS of, pg_get_viewdef(c.oid) AS text FROM pg_class c
    WHERE c.relnamespace = 'duework'::regnamespace AND c.relkind = 'v' ORDER BY 1`);
  expect(views.length).toBeGreaterThan(8);
  for (const { name, text } of views) {
    await client.query(`CREATE VIEW public.restored AS ${text}`);
    const restored = await again(`SELECT pg_get_viewdef('public.restored'::regclass) AS text`);
    await client.query('DROP VIEW public.restored');
    expect({ name, text: restored }).toEqual({ name, text });
  }
});

test('each index, and each value that a column has by itself, is the same when a dump is restored', async () => {
  const indexes = await ask(`
    SELECT i.relname AS name, x.indrelid::regclass::text AS of, pg_get_indexdef(i.oid) AS text
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
    WHERE i.relnamespace = 'duework'::regnamespace AND NOT t.relispartition ORDER BY 1`);
  for (const { name, of, text } of indexes) {
    await client.query(`CREATE TABLE public.restored (LIKE ${of} INCLUDING DEFAULTS)`);
    const [, how] = text.split(new RegExp(` ON (?:ONLY )?${of.replace('.', '\\.')} `)) as [string, string];
    await client.query(`CREATE INDEX restored_idx ON public.restored ${how}`);
    const restored = await again(`SELECT pg_get_indexdef('public.restored_idx'::regclass) AS text`);
    await client.query('DROP TABLE public.restored');
    expect({ name, how: restored.split(' ON public.restored ')[1] }).toEqual({ name, how });
  }
});
