import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { makeTestDir } from '../testing/make-test-dir.js';
import { withServer } from '../testing/with-server.js';
import { migrateDatabase } from './migrate-database.js';
import { findMigrationsDir, readMigrations } from './read-migrations.js';

let database: TestDatabase;
let migrationsDir: string;

beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
  migrationsDir = makeTestDir();
  cpSync(findMigrationsDir(), migrationsDir, { recursive: true });
});
afterEach(async () => {
  rmSync(migrationsDir, { recursive: true, force: true });
  await database.drop();
});

const names = readMigrations().map(({ name }) => name);
const query = async <T extends pg.QueryResultRow>(sql: string): Promise<T[]> =>
  withServer(database.url, async (client) => (await client.query<T>(sql)).rows);
const putMigration = (name: string, sql: string): void => {
  mkdirSync(join(migrationsDir, name), { recursive: true });
  writeFileSync(join(migrationsDir, name, 'migration.sql'), sql);
};
const later = '29990101000000_later';

test('an empty database is migrated and has its partitions', async () => {
  expect(await migrateDatabase({ url: database.url })).toEqual({
    appliedMigrationNames: names,
    alreadyAppliedCount: 0,
  });
  const days = await query(`SELECT relname FROM pg_class WHERE relname ~ '^job_history_succeeded_[0-9]{8}$'`);
  expect(days).toHaveLength(8);
});

test('a second migration finds nothing to do', async () => {
  await migrateDatabase({ url: database.url });
  expect(await migrateDatabase({ url: database.url })).toEqual({
    appliedMigrationNames: [],
    alreadyAppliedCount: names.length,
  });
});

test('a second migrator waits and finds nothing to do', async () => {
  const lines: string[] = [];
  const both = await Promise.all(
    [1, 2].map(() => migrateDatabase({ url: database.url, onProgress: (line) => lines.push(line) })),
  );
  expect(both.map(({ appliedMigrationNames }) => appliedMigrationNames.length).sort()).toEqual([0, names.length]);
  expect(lines.filter((line) => line.includes('waiting'))).toHaveLength(1);
});

test('a database with other tables and its own _prisma_migrations in public is migrated without touching them', async () => {
  await query(`CREATE TABLE public.users (id int);
    CREATE TABLE public._prisma_migrations (id text, migration_name text);
    INSERT INTO public._prisma_migrations VALUES ('1', 'theirs')`);
  await migrateDatabase({ url: database.url });
  expect(await query('SELECT migration_name FROM public._prisma_migrations')).toEqual([{ migration_name: 'theirs' }]);
  expect(await query(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1`)).toEqual([
    { relname: '_prisma_migrations' },
    { relname: 'users' },
  ]);
});

test("migrating makes the schema duework and nothing else in a team's database", async () => {
  const listAll = async (): Promise<unknown[]> => [
    await query(
      `SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_' AND nspname <> 'duework' ORDER BY 1`,
    ),
    await query(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace::regnamespace::text !~ '^(duework|pg_toast)$' ORDER BY 1`,
    ),
    await query(
      `SELECT oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace::regnamespace::text <> 'duework' ORDER BY 1`,
    ),
    await query(`SELECT extname FROM pg_extension ORDER BY 1`),
  ];
  // the database has a shop of the team's own, too
  await query('CREATE SCHEMA shop; CREATE TABLE shop.orders (id int)');
  const before = await listAll();
  await migrateDatabase({ url: database.url });
  expect(await listAll()).toEqual(before);
  expect(await query(`SELECT to_regclass('duework.job_runs') IS NOT NULL AS there`)).toEqual([{ there: true }]);
});

test('another folder of migrations is applied with a record of its own, beside that of Duework', async () => {
  await migrateDatabase({ url: database.url });
  const own = { url: database.url, migrationsDir: makeTestDir(), schema: 'own' };
  mkdirSync(join(own.migrationsDir, '20990101000000_own'));
  writeFileSync(join(own.migrationsDir, '20990101000000_own', 'migration.sql'), 'CREATE TABLE own.first (id int);');
  expect(await migrateDatabase(own)).toEqual({ appliedMigrationNames: ['20990101000000_own'], alreadyAppliedCount: 0 });
  expect(await migrateDatabase(own)).toEqual({ appliedMigrationNames: [], alreadyAppliedCount: 1 });
  expect(await query('SELECT migration_name AS name FROM own._prisma_migrations')).toEqual([
    { name: '20990101000000_own' },
  ]);
  expect(await migrateDatabase({ url: database.url })).toMatchObject({ appliedMigrationNames: [] });
  rmSync(own.migrationsDir, { recursive: true });
});

test('an edited migration is refused by name', async () => {
  await migrateDatabase({ url: database.url });
  putMigration(names[1] as string, 'SELECT 1;');
  await expect(migrateDatabase({ url: database.url, migrationsDir })).rejects.toMatchObject({
    code: 'database_migration_failed',
    problem: expect.stringContaining(names[1] as string),
  });
});

test('a migration that fails leaves nothing behind, is refused by name, and can be retried once its cause is gone', async () => {
  putMigration(later, 'CREATE TABLE duework.first (id int);\nCREATE TABLE duework.job_runs (id int);');
  await expect(migrateDatabase({ url: database.url, migrationsDir })).rejects.toMatchObject({
    code: 'database_migration_failed',
    problem: expect.stringMatching(new RegExp(`${later}: relation "job_runs" already exists \\(42P07\\)`)),
    fix: expect.stringContaining('--retry-failed'),
  });
  expect(await query(`SELECT to_regclass('duework.first') AS first`)).toEqual([{ first: null }]);

  await expect(migrateDatabase({ url: database.url, migrationsDir })).rejects.toMatchObject({
    problem: expect.stringContaining(later),
  });

  putMigration(later, 'CREATE TABLE duework.first (id int);');
  expect(await migrateDatabase({ url: database.url, migrationsDir, isRetryingFailed: true })).toMatchObject({
    appliedMigrationNames: [later],
  });
  expect(await migrateDatabase({ url: database.url, migrationsDir })).toMatchObject({ appliedMigrationNames: [] });
});

test('an older release leaves a newer database alone', async () => {
  putMigration(later, 'CREATE TABLE duework.first (id int);');
  await migrateDatabase({ url: database.url, migrationsDir });
  expect(await migrateDatabase({ url: database.url })).toEqual({
    appliedMigrationNames: [],
    alreadyAppliedCount: names.length,
  });
});

test('a database with another history is refused with the migrations it has and lacks', async () => {
  putMigration(later, 'SELECT 1;');
  await migrateDatabase({ url: database.url, migrationsDir });
  rmSync(join(migrationsDir, later), { recursive: true });
  putMigration('29990101000001_other', 'SELECT 1;');
  await expect(migrateDatabase({ url: database.url, migrationsDir })).rejects.toMatchObject({
    code: 'database_migration_failed',
    problem: expect.stringMatching(new RegExp(`${later}.*29990101000001_other`)),
  });
});

test('tables without a record of their migrations are refused and left alone', async () => {
  await query('CREATE SCHEMA duework; CREATE TABLE duework.job_runs (id int)');
  await expect(migrateDatabase({ url: database.url })).rejects.toMatchObject({
    code: 'database_migration_failed',
    problem: expect.stringContaining('no record of its migrations'),
  });
});

test('a role that may not create schemas is refused with what to grant', async () => {
  const role = `${database.name}_reader`;
  await query(`CREATE ROLE ${role} LOGIN PASSWORD 'reader'`);
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'reader'];
  await expect(migrateDatabase({ url: url.toString() })).rejects.toMatchObject({
    code: 'database_permission_denied',
    fix: expect.stringContaining('GRANT'),
  });
  await query(`DROP ROLE ${role}`);
});

test('a server that does not answer is refused, and the error has its address', async () => {
  await expect(migrateDatabase({ url: 'postgres://me:s3cret@127.0.0.1:1/app' })).rejects.toMatchObject({
    code: 'database_unreachable',
    message: expect.stringMatching(/^Cannot reach PostgreSQL at 127\.0\.0\.1:1\/app: nothing answers there\./),
  });
});
