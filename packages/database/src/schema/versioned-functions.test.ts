import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectPrisma } from '../connect-prisma.js';
import { migrations } from '../migrate/index.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const docs = readFileSync(new URL('../../../../docs/how-to/migrations.md', import.meta.url), 'utf8');
const told = [...docs.matchAll(/^\| `(\w+_\d+)` +\|/gm)].map(([, name]) => name ?? '');

test('the functions that carry a version are those that the table of docs/how-to/migrations.md lists for older programs', async () => {
  const db = connectPrisma({ url: database.url });
  const found = await db.$queryRaw<{ name: string }[]>`
    SELECT proname::text AS name FROM pg_proc
    WHERE pronamespace = 'duework'::regnamespace AND proname ~ '_[0-9]+$' ORDER BY 1`;
  await db.$disconnect();
  expect(found.map(({ name }) => name)).toEqual(told.toSorted());
  expect(told).toContain('enqueue_1');
});

test.each(told)('%s is written by one migration, and replaced by none', (name) => {
  const written = migrations.flatMap(({ sql }) => sql.match(new RegExp(`FUNCTION duework\\.${name}\\(`, 'g')) ?? []);
  expect(written).toHaveLength(1);
});
