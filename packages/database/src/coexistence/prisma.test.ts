import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { migrateDatabase } from '../migrate/migrate-database.js';
import { externalTables } from '../migrate/print/external-tables.js';
import { printMigrations } from '../migrate/print/print-migrations.js';
import { readMigrationStatus } from '../migrate/read-migration-status.js';
import { expectAsMigrated } from './expect-as-migrated.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { withServer } from '../testing/with-server.js';
import { openPrismaMigrate, type PrismaMigrate, type PrismaMigration } from './open-prisma-migrate.js';

let database: TestDatabase;
let prisma: PrismaMigrate | undefined;
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
});
afterEach(async () => {
  await prisma?.close();
  prisma = undefined;
  await database.drop();
});

/** What the engine writes where there is nothing to do. */
const EMPTY = /^(-- This is an empty migration\.)?\s*$/;

/** The schema.prisma of a team with one table. */
const schemaOf = (schemas?: string): string => `
generator client {
  provider = "prisma-client"
  output   = "x"
}
datasource db {
  provider = "postgresql"
  ${schemas === undefined ? '' : `schemas = ${schemas}`}
}
model Order {
  id     Int    @id @default(autoincrement())
  status String @default("PENDING")
  ${schemas === undefined ? '' : '@@schema("public")'}
}
`;
const theirs: PrismaMigration = [
  '20260101000000_init',
  `CREATE SCHEMA IF NOT EXISTS "public"; CREATE TABLE "public"."Order" ("id" SERIAL NOT NULL, "status" TEXT NOT NULL DEFAULT 'PENDING', CONSTRAINT "Order_pkey" PRIMARY KEY ("id"));`,
];
const open = async (schemas?: string, external?: readonly string[]): Promise<PrismaMigrate> =>
  (prisma = await openPrismaMigrate(database.url, schemaOf(schemas), external));
const query = async (sql: string): Promise<unknown[]> =>
  withServer(database.url, async (client) => (await client.query(sql)).rows);
const printed = (): PrismaMigration[] =>
  printMigrations({ tool: 'prisma' }).map(({ path, text }) => [path.replace('/migration.sql', ''), text]);

describe.each([
  ['schemas are not named', undefined],
  ['schemas is ["public"]', '["public"]'],
])('where %s', (_, schemas) => {
  test('prisma migrate dev sees no drift beside Duework, and writes an empty migration', async () => {
    const team = await open(schemas);
    expect(await team.deploy([theirs])).toEqual([theirs[0]]);
    await migrateDatabase({ url: database.url });
    expect(await team.diagnose([theirs])).toEqual({ tag: 'createMigration' });
    expect(await team.writeNext([theirs])).toMatch(EMPTY);
  });

  test('prisma migrate diff finds nothing of Duework in the database, and all that the team has changed', async () => {
    const team = await open(schemas);
    await team.deploy([theirs]);
    await migrateDatabase({ url: database.url });
    await query('SELECT duework.ensure_partitions(2, 2)');
    expect(await team.diff()).toMatch(EMPTY);
    await query('ALTER TABLE "Order" ADD COLUMN more text');
    const script = await team.diff();
    expect(script).toContain('DROP COLUMN "more"');
    expect(script).not.toMatch(/duework/i);
  });

  test('prisma migrate deploy is not refused where Duework was there first', async () => {
    await migrateDatabase({ url: database.url });
    const team = await open(schemas);
    expect(await team.deploy([theirs])).toEqual([theirs[0]]);
    expect(await team.diagnose([theirs])).toEqual({ tag: 'createMigration' });
  });

  test("prisma db pull finds the team's tables only", async () => {
    await migrateDatabase({ url: database.url });
    const team = await open(schemas);
    await team.deploy([theirs]);
    expect(await team.pull()).toEqual(['Order']);
  });
});

test('a team that lists duework in schemas sees no drift once its tables are external', async () => {
  await (await open('["public"]')).deploy([theirs]);
  await prisma?.close();
  await migrateDatabase({ url: database.url });
  const seen = await open('["public", "duework"]');
  expect(await seen.diagnose([theirs])).toMatchObject({ tag: 'reset', reason: expect.stringContaining('Drift') });
  await seen.close();
  await query('SELECT duework.ensure_partitions(2, 2)');
  const team = await open('["public", "duework"]', externalTables);
  expect(await team.diagnose([theirs])).toEqual({ tag: 'createMigration' });
  expect(await team.writeNext([theirs])).toMatch(EMPTY);
  expect(await team.diff()).toMatch(EMPTY);
  expect(await team.pull()).toEqual(expect.arrayContaining(['Order', 'job_runs']));
});

test("prisma migrate reset drops the team's tables and leaves the jobs", async () => {
  const team = await open();
  await team.deploy([theirs]);
  await migrateDatabase({ url: database.url });
  await query(
    `INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
     VALUES ('default', 'send_mail', 1, 5, now(), '{}', 3)`,
  );
  await team.reset();
  expect(await query(`SELECT to_regclass('public."Order"') AS t`)).toEqual([{ t: null }]);
  expect(await query('SELECT count(*)::int AS runs FROM duework.job_runs')).toEqual([{ runs: 1 }]);
});

test('the printed migrations are applied by prisma migrate deploy, and duework migrate finds nothing to do', async () => {
  const team = await open();
  const migrations = [theirs, ...printed()];
  expect(await team.deploy(migrations)).toEqual(migrations.map(([folder]) => folder));
  expect(await migrateDatabase({ url: database.url })).toMatchObject({ appliedMigrationNames: [] });
  expect(await readMigrationStatus({ url: database.url })).toMatchObject({ isUsable: true, unknown: [] });
  await expectAsMigrated(database.url);
  // partitions have been made meanwhile, which no migration names
  expect(await team.diagnose(migrations)).toEqual({ tag: 'createMigration' });
  expect(await team.writeNext(migrations)).toMatch(EMPTY);
});
