import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { migrateDatabase } from '../migrate/migrate-database.js';
import { writeMigrations } from '../migrate/print/write-migrations.js';
import { expectAsMigrated } from './expect-as-migrated.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { makeTestDir } from '../testing/make-test-dir.js';
import { withServer } from '../testing/with-server.js';

let database: TestDatabase;
let dir: string;
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
  dir = makeTestDir();
});
afterEach(async () => {
  rmSync(dir, { recursive: true });
  await database.drop();
});

const migrateWithDrizzle = (): Promise<void> =>
  withServer(database.url, (client) => migrate(drizzle({ client }), { migrationsFolder: dir }));
const query = async (sql: string): Promise<unknown[]> =>
  withServer(database.url, async (client) => (await client.query(sql)).rows);

/** What drizzle-kit generate writes for a team's first table. */
function writeTheirs(): void {
  mkdirSync(join(dir, 'meta'));
  writeFileSync(join(dir, '0000_init.sql'), 'CREATE TABLE "orders" ("id" serial PRIMARY KEY NOT NULL);\n');
  const entry = { idx: 0, version: '7', when: Date.now(), tag: '0000_init', breakpoints: true };
  writeFileSync(
    join(dir, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries: [entry] }),
  );
}

test("the written migrations are applied by Drizzle's migrator after the team's own, and duework migrate finds nothing to do", async () => {
  writeTheirs();
  await migrateWithDrizzle();
  writeMigrations({ tool: 'drizzle', dir });
  await migrateWithDrizzle();
  expect(await migrateDatabase({ url: database.url })).toMatchObject({ appliedMigrationNames: [] });
  expect(await query(`SELECT to_regclass('public.orders') IS NOT NULL AS there`)).toEqual([{ there: true }]);
  await expectAsMigrated(database.url);
  // and so do a second look of either
  expect(writeMigrations({ tool: 'drizzle', dir })).toEqual([]);
  await migrateWithDrizzle();
});

test("the journal keeps the team's entries, and has those of Duework behind them", () => {
  writeTheirs();
  writeMigrations({ tool: 'drizzle', dir });
  const { entries } = JSON.parse(readFileSync(join(dir, 'meta/_journal.json'), 'utf8')) as {
    entries: { idx: number; when: number; tag: string }[];
  };
  expect(entries.map(({ tag }) => tag).slice(0, 3)).toEqual(['0000_init', '0001_duework_queue', '0002_duework_shards']);
  expect(entries.map(({ idx }) => idx)).toEqual(entries.map((_, index) => index));
  expect(entries.every(({ when }, index) => index === 0 || when > (entries[index - 1]?.when ?? 0))).toBe(true);
});

test("a folder whose journal is not Drizzle's is refused and left as it was", () => {
  mkdirSync(join(dir, 'meta'));
  writeFileSync(join(dir, 'meta/_journal.json'), '{"dialect":"mysql","entries":[]}');
  expect(() => writeMigrations({ tool: 'drizzle', dir })).toThrow(
    expect.objectContaining({ code: 'migration_folder_unusable', fix: expect.stringContaining('drizzle.config.ts') }),
  );
  expect(readFileSync(join(dir, 'meta/_journal.json'), 'utf8')).toBe('{"dialect":"mysql","entries":[]}');
});
