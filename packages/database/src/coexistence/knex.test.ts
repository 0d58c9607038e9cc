import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import knex from 'knex';
import { migrateDatabase } from '../migrate/migrate-database.js';
import { printForKnex } from '../migrate/print/print-for-knex.js';
import { writeMigrations } from '../migrate/print/write-migrations.js';
import { expectAsMigrated } from './expect-as-migrated.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { makeTestDir } from '../testing/make-test-dir.js';

let database: TestDatabase;
let db: knex.Knex;
let dir: string;
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
  dir = makeTestDir();
  const quiet = (): void => {};
  const log = { warn: quiet, error: quiet, debug: quiet, deprecate: quiet };
  db = knex({ client: 'pg', connection: database.url, migrations: { directory: dir }, log });
});
afterEach(async () => {
  await db.destroy();
  rmSync(dir, { recursive: true });
  await database.drop();
});

test("the written migrations are applied by knex migrate:latest after the team's own, and duework migrate finds nothing to do", async () => {
  writeFileSync(
    join(dir, '20260101000000_init.js'),
    `exports.up = (knex) => knex.raw('CREATE TABLE orders (id serial)'); exports.down = () => {};`,
  );
  await db.migrate.latest();
  const files = writeMigrations({ tool: 'knex', dir });
  const [, applied] = (await db.migrate.latest()) as [number, string[]];
  expect(applied.map((name) => join(dir, name.split('/').at(-1) ?? ''))).toEqual(files.map(({ path }) => path));
  expect(await migrateDatabase({ url: database.url })).toMatchObject({ appliedMigrationNames: [] });
  await expectAsMigrated(database.url);
  expect(writeMigrations({ tool: 'knex', dir })).toEqual([]);
  expect(await db.migrate.latest()).toMatchObject([expect.any(Number), []]);
});

test('knex migrate:rollback is refused with the reason, and leaves the tables', async () => {
  writeMigrations({ tool: 'knex', dir });
  await db.migrate.latest();
  await expect(db.migrate.rollback()).rejects.toThrow('cannot be rolled back');
  expect(await migrateDatabase({ url: database.url })).toMatchObject({ appliedMigrationNames: [] });
});

test('question marks, backslashes and backticks of a migration come through Knex as they are', async () => {
  const text = 'a ? ?? ` ${b} \\n :c';
  writeFileSync(join(dir, 'x.cjs'), printForKnex(`CREATE TABLE kept AS SELECT '${text}' AS text;`));
  const { up } = createRequire(import.meta.url)(join(dir, 'x.cjs')) as { up: (db: knex.Knex) => Promise<void> };
  await up(db);
  expect(await db.raw('SELECT text FROM kept')).toMatchObject({ rows: [{ text }] });
});
