import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';

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

test('each text of an index compares bytewise, so that another collation of the operating system finds every key', async () => {
  const { rows } = await client.query(`
    SELECT i.relname AS index, a.attname AS text, c.collname AS collation
    FROM pg_index x
    JOIN pg_class i ON i.oid = x.indexrelid
    JOIN pg_attribute a ON a.attrelid = i.oid AND a.attcollation <> 0
    JOIN pg_collation c ON c.oid = a.attcollation
    WHERE i.relnamespace = 'duework'::regnamespace ORDER BY 1, 2`);
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter(({ collation }) => collation !== 'C')).toEqual([]);
});
