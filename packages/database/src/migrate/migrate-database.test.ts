import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { describeOthers } from '../testing/describe-catalog.js';
import { withServer } from '../testing/with-server.js';
import { migrations } from './generated/migrations.js';
import { migrateDatabase } from './migrate-database.js';
import type { Migration } from './migration.js';
import { readMigrationStatus } from './read-migration-status.js';
import { readMigrations } from './read-migrations.js';
import { type MigrateDatabaseResult, runMigrations } from './run-migrations.js';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
});
afterEach(() => database.drop());

const names = migrations.map(({ name }) => name);
const query = async <T extends pg.QueryResultRow>(sql: string): Promise<T[]> =>
  withServer(database.url, async (client) => (await client.query<T>(sql)).rows);
const makeMigration = (name: string, sql: string): Migration => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
});
const later = '29990101000000_later';
/** A later release: with one migration more. */
const migrateWith = (...more: readonly Migration[]): Promise<MigrateDatabaseResult> =>
  runMigrations({ url: database.url, schema: 'duework', migrations: [...migrations, ...more] });
const done = (applied: readonly string[], before: number): MigrateDatabaseResult => ({
  appliedMigrationNames: applied,
  alreadyAppliedCount: before,
  pendingMigrationNames: [],
});

test('the migrations that are built in are those of prisma/migrations', () => {
  expect(migrations).toEqual(readMigrations(fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url))));
});

test('an empty database is migrated and has its partitions', async () => {
  expect(await migrateDatabase({ url: database.url })).toEqual(done(names, 0));
  const days = await query(`SELECT relname FROM pg_class WHERE relname ~ '^job_history_succeeded_[0-9]{8}$'`);
  expect(days).toHaveLength(8);
});

test.each([
  ['plpgsql.extra_errors', 'all'],
  ['plpgsql.variable_conflict', 'use_column'],
])('a database whose functions are looked at strictly is migrated: %s = %s', async (name, value) => {
  await query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${name} = %L', current_database(), '${value}'); END $$`,
  );
  expect(await migrateDatabase({ url: database.url })).toEqual(done(names, 0));
});

test('a second migration finds nothing to do', async () => {
  await migrateDatabase({ url: database.url });
  expect(await migrateDatabase({ url: database.url })).toEqual(done([], names.length));
});

test('each migration is recorded by name, with the checksum of its text', async () => {
  await migrateDatabase({ url: database.url });
  expect(await query('SELECT name, checksum FROM duework.migrations ORDER BY name')).toEqual(
    migrations.map(({ name, checksum }) => ({ name, checksum })),
  );
});

test('a dry run tells what is missing and changes nothing', async () => {
  expect(await migrateDatabase({ url: database.url, dryRun: true })).toEqual({
    appliedMigrationNames: [],
    alreadyAppliedCount: 0,
    pendingMigrationNames: names,
  });
  expect(await query(`SELECT to_regnamespace('duework') AS schema`)).toEqual([{ schema: null }]);
});

test('the status tells what was applied and when, what is missing, unknown and changed', async () => {
  expect(await readMigrationStatus({ url: database.url })).toEqual({
    applied: [],
    missing: names,
    unknown: [],
    changed: [],
    isUsable: false,
  });
  await migrateWith(makeMigration(later, 'SELECT 1;'));
  expect(await readMigrationStatus({ url: database.url })).toMatchObject({
    missing: [],
    unknown: [later],
    changed: [],
    isUsable: true,
  });
  await query(`UPDATE duework.migrations SET checksum = 'another' WHERE name = '${names[1] ?? ''}'`);
  const { applied, ...status } = await readMigrationStatus({ url: database.url });
  expect(status).toEqual({ missing: [], unknown: [later], changed: [names[1]], isUsable: false });
  expect(applied.map(({ name }) => name)).toEqual([...names, later]);
  expect(applied[0]?.appliedAt).toBeInstanceOf(Date);
});

test('a second migrator waits and finds nothing to do', async () => {
  const lines: string[] = [];
  const both = await Promise.all(
    [1, 2].map(() => migrateDatabase({ url: database.url, onProgress: (line) => lines.push(line) })),
  );
  expect(both.map(({ appliedMigrationNames }) => appliedMigrationNames.length).sort()).toEqual([0, names.length]);
  expect(lines.filter((line) => line.includes('waiting'))).toHaveLength(1);
});

test('a migrator waits for the other one whatever the time limits of the database are, and without a snapshot', async () => {
  for (const limit of ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'])
    await query(`ALTER DATABASE ${database.name} SET ${limit} = '50ms'`);
  await withServer(database.url, async (other) => {
    await other.query(`SELECT pg_advisory_lock(hashtextextended('duework.migrate', 0))`);
    let tellWaiting = (): void => {};
    const isWaiting = new Promise<void>((resolve) => (tellWaiting = resolve));
    const migrating = migrateDatabase({ url: database.url, onProgress: () => tellWaiting() });
    await isWaiting;
    // for longer than each of the limits; an index is made concurrently only once no older snapshot is left
    await other.query('SET statement_timeout = 0; SET lock_timeout = 0');
    await other.query('CREATE TABLE public.mine (n int)');
    await other.query('CREATE INDEX CONCURRENTLY mine_idx ON public.mine (n)');
    await other.query('SELECT pg_sleep(0.3)');
    await other.query(`SELECT pg_advisory_unlock(hashtextextended('duework.migrate', 0))`);
    expect(await migrating).toEqual(done(names, 0));
  });
});

test.each(['LATIN1', 'SQL_ASCII', 'WIN1252'])(
  'a database whose encoding is %s is refused by name, and left empty',
  async (encoding) => {
    const name = `${database.name}_${encoding.toLowerCase()}`;
    await query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LOCALE 'C'`);
    const url = new URL(database.url);
    url.pathname = name;
    try {
      await expect(migrateDatabase({ url: url.href })).rejects.toMatchObject({
        code: 'database_not_utf8',
        problem: `The encoding of this database is ${encoding}, which cannot store every text.`,
      });
      const schemas = await withServer(url.href, (client) =>
        client.query(`SELECT FROM pg_namespace WHERE nspname = 'duework'`),
      );
      expect(schemas.rowCount).toBe(0);
    } finally {
      await query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  },
);

test("migrating changes nothing of a team's database but the schema duework, byte for byte", async () => {
  await query(`CREATE SCHEMA shop; CREATE EXTENSION IF NOT EXISTS plpgsql;
    CREATE TYPE shop.state AS ENUM ('open', 'paid');
    CREATE TABLE shop.orders (id int PRIMARY KEY, state shop.state DEFAULT 'open', CHECK (id > 0));
    CREATE TABLE public.job_runs (id int REFERENCES shop.orders (id));
    CREATE TABLE public._prisma_migrations (id text, migration_name text);
    INSERT INTO public._prisma_migrations VALUES ('1', 'theirs');
    INSERT INTO shop.orders VALUES (1), (2);
    CREATE VIEW shop.paid AS SELECT * FROM shop.orders WHERE state = 'paid';
    CREATE FUNCTION public.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
    CREATE TRIGGER touch BEFORE UPDATE ON shop.orders FOR EACH ROW EXECUTE FUNCTION public.touch()`);
  const before = await describeOthers(database.url);
  await migrateDatabase({ url: database.url });
  expect(await describeOthers(database.url)).toEqual(before);
  expect(before.filter((line) => line.includes('theirs'))).toHaveLength(1);
  expect(await query(`SELECT to_regclass('duework.job_runs') IS NOT NULL AS there`)).toEqual([{ there: true }]);
});

test('the migrations of another schema have a record of their own, beside that of Duework', async () => {
  await migrateDatabase({ url: database.url });
  const name = '20990101000000_own';
  const own = {
    url: database.url,
    schema: 'own',
    migrations: [
      makeMigration(
        name,
        'CREATE SCHEMA own; CREATE TABLE own.migrations (name text PRIMARY KEY, checksum text, applied_at timestamptz);',
      ),
    ],
  };
  expect(await runMigrations(own)).toEqual(done([name], 0));
  expect(await runMigrations(own)).toEqual(done([], 1));
  expect(await query('SELECT name FROM own.migrations')).toEqual([{ name }]);
  expect(await migrateDatabase({ url: database.url })).toEqual(done([], names.length));
});

test('a migration with another text than the database has is refused by name', async () => {
  await migrateDatabase({ url: database.url });
  const edited = migrations.map((migration, index) =>
    index === 1 ? makeMigration(migration.name, 'SELECT 1;') : migration,
  );
  await expect(runMigrations({ url: database.url, schema: 'duework', migrations: edited })).rejects.toMatchObject({
    code: 'database_migration_failed',
    problem: expect.stringContaining(names[1] as string),
  });
});

test('a migration that fails leaves nothing behind, and runs again once its cause is gone', async () => {
  const broken = makeMigration(later, 'CREATE TABLE duework.first (id int);\nCREATE TABLE duework.job_runs (id int);');
  await expect(migrateWith(broken)).rejects.toMatchObject({
    code: 'database_migration_failed',
    problem: expect.stringMatching(
      new RegExp(`${later}: relation "job_runs" already exists \\(42P07\\)\\. Nothing of it`),
    ),
    fix: expect.stringContaining('npx duework migrate'),
  });
  expect(await query(`SELECT to_regclass('duework.first') AS first`)).toEqual([{ first: null }]);
  // those before it are there
  expect(await query('SELECT name FROM duework.migrations ORDER BY name')).toEqual(names.map((name) => ({ name })));
  expect(await migrateWith(makeMigration(later, 'CREATE TABLE duework.first (id int);'))).toEqual(
    done([later], names.length),
  );
});

test('a migration outside a transaction builds an index CONCURRENTLY, and is begun anew where it had failed', async () => {
  const build = (column: string): Migration =>
    makeMigration(
      later,
      `-- outside a transaction\nDROP INDEX CONCURRENTLY IF EXISTS duework.new_idx;\nCREATE UNIQUE INDEX CONCURRENTLY new_idx ON duework.job_alerts (${column});\n`,
    );
  await migrateDatabase({ url: database.url });
  await query(`INSERT INTO duework.job_alerts (name, raised_at, facts) VALUES ('a', now(), '{}'), ('b', now(), '{}')`);
  await expect(migrateWith(build('(1)'))).rejects.toMatchObject({ code: 'database_migration_failed' });
  expect(await query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'duework.new_idx'::regclass`)).toEqual([
    { indisvalid: false },
  ]);
  expect(await migrateWith(build('name'))).toEqual(done([later], names.length));
  expect(await query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'duework.new_idx'::regclass`)).toEqual([
    { indisvalid: true },
  ]);
});

test('an older release leaves a newer database alone', async () => {
  await migrateWith(makeMigration(later, 'CREATE TABLE duework.first (id int);'));
  expect(await migrateDatabase({ url: database.url })).toEqual(done([], names.length));
});

test('a database with another history is refused with the migrations it has and lacks', async () => {
  await migrateWith(makeMigration(later, 'SELECT 1;'));
  await expect(migrateWith(makeMigration('29990101000001_other', 'SELECT 1;'))).rejects.toMatchObject({
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
    problem: expect.stringContaining(names[0] as string),
    fix: expect.stringContaining('GRANT CREATE ON DATABASE'),
  });
  await query(`DROP ROLE ${role}`);
});

test('a role that may make no schemas migrates the one that was made for it', async () => {
  const role = `${database.name}_owner`;
  await query(`CREATE ROLE ${role} LOGIN PASSWORD 'owner'; CREATE SCHEMA duework AUTHORIZATION ${role}`);
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'owner'];
  expect(await migrateDatabase({ url: url.toString() })).toEqual(done(names, 0));
  await query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
});

test('a server that does not answer is refused, and the error has its address', async () => {
  await expect(
    migrateDatabase({ url: 'postgres://me:s3cret@127.0.0.1:1/app', databaseWaitMs: 0 }),
  ).rejects.toMatchObject({
    code: 'database_unreachable',
    message: expect.stringMatching(/^Cannot reach PostgreSQL at 127\.0\.0\.1:1\/app: nothing answers there\./),
  });
});
