import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectPrisma } from '../connect-prisma.js';
import { Prisma, type PrismaClient } from '../generated/client.js';
import { readMigrations } from '../migrate/read-migrations.js';
import { runMigrations } from '../migrate/run-migrations.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';

/** The models of Duework, and of the example shop, whose tables only the example makes. */
const fromRoot = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

let database: TestDatabase;
let db: PrismaClient;

beforeAll(async () => {
  database = await createTestDatabase();
  await runMigrations({
    url: database.url,
    migrations: readMigrations(fromRoot('packages/shop/migrations')),
    schema: 'shop',
  });
  db = connectPrisma({ url: database.url });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

// findFirst selects every column of the model by name.
test.each(Object.values(Prisma.ModelName))('the migrated database has every column of the model %s', async (name) => {
  const key = `${name.charAt(0).toLowerCase()}${name.slice(1)}` as 'jobRun';
  await expect(db[key].findFirst()).resolves.toBeNull();
});

/** Maps `duework.job_runs` to its columns, as prisma/schema.prisma describes them. */
function readModels(): Record<string, string[]> {
  const text = readFileSync(fromRoot('prisma/schema.prisma'), 'utf8');
  const models = [...text.matchAll(/^model (\w+) \{(.*?)^\}/gms)].map(([, name, body]) => ({
    name: name ?? '',
    body: body ?? '',
  }));
  const names = models.map(({ name }) => name);
  return Object.fromEntries(
    models.map(({ body }) => {
      const attribute = (kind: string): string => new RegExp(`@@${kind}\\("([^"]+)"\\)`).exec(body)?.[1] ?? '';
      const columns = [...body.matchAll(/^ {2}(\w+) +(\w+)(\S*)(.*)$/gm)]
        .filter(([, , type]) => !names.includes(type ?? ''))
        .map(([, field, , , rest]) => / @map\("([^"]+)"\)/.exec(rest ?? '')?.[1] ?? field ?? '');
      return [`${attribute('schema')}.${attribute('map')}`, columns.sort()];
    }),
  );
}

test("the migrated database equals prisma/schema.prisma's models, table by table and column by column", async () => {
  const rows = await db.$queryRaw<{ table: string; columns: string[] }[]>`
    SELECT c.relnamespace::regnamespace || '.' || c.relname AS table, array_agg(a.attname::text) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace IN ('duework'::regnamespace, 'shop'::regnamespace) AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition AND c.relpersistence = 'p' AND c.relname <> 'migrations'
    GROUP BY 1`;
  expect(Object.fromEntries(rows.map(({ table, columns }) => [table, columns.sort()]))).toEqual(readModels());
});
