import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { migrateDatabase } from '../migrate/migrate-database.js';
import { externalTables } from '../migrate/print/external-tables.js';
import { writeMigrations } from '../migrate/print/write-migrations.js';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { withServer } from '../testing/with-server.js';
import { expectAsMigrated } from './expect-as-migrated.js';
import { openPrismaProject, type PrismaProject, type PrismaProjectOptions } from './prisma-command.js';

let database: TestDatabase;
let shadow: TestDatabase;
let project: PrismaProject | undefined;
beforeEach(async () => {
  [database, shadow] = await Promise.all([
    createTestDatabase({ isMigrated: false }),
    createTestDatabase({ isMigrated: false }),
  ]);
});
afterEach(async () => {
  project?.close();
  project = undefined;
  await Promise.all([database.drop(), shadow.drop()]);
});

const schemaOf = (schemas = '["public"]', more = ''): string => `
generator client {
  provider = "prisma-client"
  output   = "../generated"
}
datasource db {
  provider = "postgresql"
  schemas  = ${schemas}
}
model Order {
  id     Int    @id @default(autoincrement())
  status String @default("PENDING")
  ${more}
  @@schema("public")
}
`;
const theirs = `CREATE TABLE "public"."Order" ("id" SERIAL NOT NULL, "status" TEXT NOT NULL DEFAULT 'PENDING', CONSTRAINT "Order_pkey" PRIMARY KEY ("id"));`;

const { PATH, HOME } = process.env;
const env = { PATH, HOME };

/** A team that has a migration of its own. */
async function open(options: Partial<PrismaProjectOptions> = {}): Promise<PrismaProject> {
  project = await openPrismaProject({ env, url: database.url, datamodel: schemaOf(), ...options });
  const folder = join(project.migrations, '20260101000000_init');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'migration.sql'), theirs);
  writeFileSync(join(project.migrations, 'migration_lock.toml'), 'provider = "postgresql"\n');
  return project;
}
const query = async (sql: string): Promise<unknown[]> =>
  withServer(database.url, async (client) => (await client.query(sql)).rows);
const enqueueOne = (): Promise<unknown[]> =>
  query(
    `INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
     VALUES ('default', 'send_mail', 1, 5, now(), '{}', 3)`,
  );
const countJobs = async (): Promise<number> =>
  ((await query('SELECT count(*)::int AS n FROM duework.job_runs')) as { n: number }[])[0]!.n;
const upToDate = async (): Promise<void> => {
  expect(await migrateDatabase({ url: database.url })).toMatchObject({ appliedMigrationNames: [] });
  await expectAsMigrated(database.url);
};
const inSync = /Already in sync/;

describe.each([
  ['a shadow database of its own', false],
  ['a shadowDatabaseUrl', true],
])('with %s', (_, isExternal) => {
  const options = (): Partial<PrismaProjectOptions> => (isExternal ? { shadowDatabaseUrl: shadow.url } : {});

  test('Duework’s migrations among the team’s survive one reset after the other', async () => {
    const { prisma, migrations } = await open(options());
    writeMigrations({ tool: 'prisma', dir: migrations });
    await prisma('migrate', 'deploy');
    await enqueueOne();
    expect(await prisma('migrate', 'reset', '--force')).toContain('Database reset successful');
    expect(await prisma('migrate', 'reset', '--force')).toContain('Database reset successful');
    expect(await prisma('migrate', 'status')).toContain('Database schema is up to date');
    expect(await countJobs()).toBe(1);
    await upToDate();
  });

  test('beside Duework’s migrations `migrate dev` writes the team’s next ones', async () => {
    const { prisma, migrations, writeSchema } = await open(options());
    writeMigrations({ tool: 'prisma', dir: migrations });
    for (const more of ['a', 'b']) {
      writeSchema(schemaOf('["public"]', `${more} Int?`));
      expect(await prisma('migrate', 'dev', '--name', more)).toContain('Your database is now in sync');
    }
    expect(await prisma('migrate', 'dev')).toMatch(inSync);
    expect(readdirSync(migrations).filter((name) => /_[ab]$/.test(name))).toHaveLength(2);
    await upToDate();
  });

  test('a team that began with `duework migrate` moves to migrations of its own', async () => {
    const { prisma, migrations } = await open(options());
    await prisma('migrate', 'deploy');
    await migrateDatabase({ url: database.url });
    await enqueueOne();
    writeMigrations({ tool: 'prisma', dir: migrations });
    await prisma('migrate', 'deploy');
    expect(await prisma('migrate', 'dev')).toMatch(inSync);
    expect(await prisma('migrate', 'reset', '--force')).toContain('Database reset successful');
    expect(await countJobs()).toBe(1);
    await upToDate();
  });

  test('a team with migrations of its own moves to `duework migrate`, which applies what is newer', async () => {
    const { prisma, migrations } = await open(options());
    const newest = writeMigrations({ tool: 'prisma', dir: migrations }).at(-1)!;
    rmSync(dirname(newest.path), { recursive: true });
    await prisma('migrate', 'deploy');
    const { appliedMigrationNames } = await migrateDatabase({ url: database.url });
    expect(appliedMigrationNames).toHaveLength(1);
    expect(await prisma('migrate', 'reset', '--force')).toContain('Database reset successful');
    expect(await prisma('migrate', 'dev')).toMatch(inSync);
    await upToDate();
  });

  test('beside `duework migrate`, a reset leaves the jobs, and `migrate dev` sees no drift', async () => {
    const { prisma } = await open(options());
    await prisma('migrate', 'deploy');
    await migrateDatabase({ url: database.url });
    await enqueueOne();
    expect(await prisma('migrate', 'dev')).toMatch(inSync);
    await prisma('migrate', 'reset', '--force');
    expect(await countJobs()).toBe(1);
  });
});

test('models to read jobs with are in a schema of their own, and a reset of the team’s leaves the jobs', async () => {
  const { prisma, migrations, writeSchema, readModels } = await open();
  await prisma('migrate', 'deploy');
  await migrateDatabase({ url: database.url });
  await enqueueOne();
  writeSchema(schemaOf('["duework"]').replace(/model[^]*/, ''), 'prisma-duework/schema.prisma');
  await prisma('db', 'pull', '--schema', 'prisma-duework/schema.prisma');
  expect(readModels('prisma-duework/schema.prisma')).toEqual(expect.arrayContaining(['job_runs', 'job_history']));
  expect(await prisma('migrate', 'dev')).toMatch(inSync);
  await prisma('migrate', 'reset', '--force');
  expect(await countJobs()).toBe(1);
  expect(readdirSync(migrations)).toHaveLength(2);
});

describe('with duework in schemas', () => {
  const schemas = '["public", "duework"]';

  test.each([
    ['of the team', true],
    ['of `duework migrate`', false],
  ])('a reset drops all jobs; the migrations %s make the schema anew', async (_, isTheirs) => {
    const { prisma, migrations } = await open({ datamodel: schemaOf(schemas), externalTables });
    if (isTheirs) writeMigrations({ tool: 'prisma', dir: migrations });
    await prisma('migrate', 'deploy');
    await migrateDatabase({ url: database.url });
    await enqueueOne();
    await prisma('migrate', 'reset', '--force');
    await migrateDatabase({ url: database.url });
    expect(await countJobs()).toBe(0);
    await upToDate();
    expect(await prisma('migrate', 'dev')).toMatch(inSync);
  });
});

test('a team leaves: the schema is dropped in a migration of theirs, and nothing else of Duework was there', async () => {
  const { prisma, migrations } = await open();
  writeMigrations({ tool: 'prisma', dir: migrations });
  await prisma('migrate', 'deploy');
  mkdirSync(join(migrations, '29990101000000_leave_duework'));
  writeFileSync(
    join(migrations, '29990101000000_leave_duework', 'migration.sql'),
    'DROP SCHEMA IF EXISTS duework CASCADE;',
  );
  await prisma('migrate', 'deploy');
  expect(await prisma('migrate', 'dev')).toMatch(inSync);
  await prisma('migrate', 'reset', '--force');
  expect(await query(`SELECT to_regnamespace('duework') AS schema`)).toEqual([{ schema: null }]);
});
