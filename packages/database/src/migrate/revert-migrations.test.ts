import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';
import { withServer } from '../testing/with-server.js';
import { releases } from './generated/ledger.js';
import { migrations } from './generated/migrations.js';
import type { Migration } from './migration.js';
import { revertMigrations, type RevertResult } from './revert-migrations.js';
import { runMigrations } from './run-migrations.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const query = async <T extends pg.QueryResultRow>(sql: string): Promise<T[]> =>
  withServer(database.url, async (client) => (await client.query<T>(sql)).rows);
const make = (name: string, sql: string, down?: string): Migration => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
  ...(down === undefined ? {} : { down }),
});

const FIRST = migrations.at(-1)!.name;
/** What two later releases might bring: a column that is filled, a table, a function in another way, an index. */
const OWNERS = make(
  '29990101000000_owners',
  `ALTER TABLE duework.job_definitions ADD COLUMN owner text;
   CREATE TABLE duework.owners (name text PRIMARY KEY, mail text NOT NULL);
   CREATE OR REPLACE FUNCTION duework.first_id_of(day date) RETURNS bigint LANGUAGE sql IMMUTABLE
   AS $$ SELECT (day - DATE '1970-01-01')::bigint * 100000000000 $$;`,
  `-- would lose: owners of job types
SELECT type FROM duework.job_definitions WHERE owner IS NOT NULL;
ALTER TABLE duework.job_definitions DROP COLUMN owner;
-- would lose: addresses of owners
SELECT name FROM duework.owners;
DROP TABLE duework.owners;
CREATE OR REPLACE FUNCTION duework.first_id_of(day date) RETURNS bigint LANGUAGE sql IMMUTABLE
AS $$ SELECT (day - DATE '1970-01-01') * 100000000000 $$;`,
);
const INDEX = make(
  '29990102000000_owners_index',
  `-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS duework.owners_mail_idx;
CREATE INDEX CONCURRENTLY owners_mail_idx ON duework.owners (mail);
`,
  'DROP INDEX duework.owners_mail_idx;',
);
const ALL = [...migrations, OWNERS, INDEX];
const up = (all: readonly Migration[] = ALL) =>
  runMigrations({ url: database.url, schema: 'duework', migrations: all });
const down = (to: string, more: { dryRun?: boolean; all?: readonly Migration[] } = {}): Promise<RevertResult> =>
  revertMigrations({
    url: database.url,
    schema: 'duework',
    migrations: more.all ?? ALL,
    releases: [
      { version: '1.0.0', last: FIRST },
      { version: '1.1.0', last: OWNERS.name },
    ],
    to,
    dryRun: more.dryRun ?? false,
  });
const applied = async (): Promise<string[]> =>
  (await query<{ name: string }>('SELECT name FROM duework.migrations ORDER BY name')).map(({ name }) => name);
const names = (all: readonly Migration[]): string[] => all.map(({ name }) => name);

test('each migration that came after the first release has its way back', () => {
  const [first] = releases;
  const later = migrations.filter(({ name }) => first !== undefined && name > first.last);
  expect(later.filter(({ down: back }) => back === undefined)).toEqual([]);
});

test('one release back, two releases back, and up again', async () => {
  await up();
  expect(await down('1.1.0')).toEqual({ reverted: [INDEX.name], losses: [] });
  expect(await applied()).toEqual(names([...migrations, OWNERS]));
  await up();
  expect((await down('1.0.0')).reverted).toEqual([INDEX.name, OWNERS.name]);
  expect(await applied()).toEqual(names(migrations));
  expect(await query(`SELECT to_regclass('duework.owners') AS owners`)).toEqual([{ owners: null }]);
  expect((await down(FIRST)).reverted).toEqual([]);
  await up();
  expect(await applied()).toEqual(names(ALL));
});

test('rows that would be lost are counted and named, and nothing is taken back', async () => {
  await up();
  await query(`INSERT INTO duework.owners SELECT 'owner ' || n, 'x' FROM generate_series(1, 7) AS n`);
  await query(`INSERT INTO duework.job_definitions (type, version, queue, priority, max_attempts, timeout_ms, lease_ms, retry, payload_schema, owner)
    VALUES ('mail', 1, 'default', 5, 1, 1, 1000, '{}', '{}', 'me')`);
  const losses = [
    { what: 'owners of job types', rows: 1, some: ['mail'] },
    { what: 'addresses of owners', rows: 7, some: ['owner 1', 'owner 2', 'owner 3', 'owner 4', 'owner 5'] },
  ];
  expect(await down('1.0.0', { dryRun: true })).toEqual({ reverted: [INDEX.name, OWNERS.name], losses });
  await expect(down('1.0.0')).rejects.toMatchObject({
    code: 'database_revert_refused',
    problem: expect.stringMatching(
      /owners of job types \(1: mail\) and addresses of owners \(7: .*owner 1.*, …\)\. Nothing/,
    ),
  });
  expect(await applied()).toEqual(names(ALL));
  // what loses nothing goes
  expect((await down('1.1.0')).reverted).toEqual([INDEX.name]);
});

test('while a worker runs whose release needs it, nothing is taken back; an older one may run', async () => {
  await up();
  const worker = (name: string, needs: string, seen: string): Promise<unknown> =>
    query(`INSERT INTO duework.worker_contracts (worker, queues, contracts, needs, seen_at)
      VALUES ('${name}', '{}', '{}', '${needs}', now() - interval '${seen}')`);
  await worker('old', FIRST, '0');
  await worker('killed', INDEX.name, '4 minutes');
  await worker('new', INDEX.name, '1 minute');
  await expect(down('1.0.0')).rejects.toMatchObject({
    code: 'database_revert_refused',
    problem: 'Programs that need it run: new. Nothing was changed.',
  });
  await query(`DELETE FROM duework.worker_contracts WHERE worker = 'new'`);
  await withServer(database.url, async (client) => {
    await client.query(`SET application_name = 'duework-api ${OWNERS.name}'`);
    await expect(down('1.0.0')).rejects.toMatchObject({
      problem: expect.stringMatching(/duework-api \S+ \(pid \d+\)/),
    });
    // which needs no more than that release has
    expect((await down('1.1.0')).reverted).toEqual([INDEX.name]);
  });
  expect((await down('1.0.0')).reverted).toEqual([OWNERS.name]);
});

test.each([
  ['a release that nobody knows', '3.0.0', ALL, /"3\.0\.0" is no release or migration that this release knows/],
  ['a migration without a way back', '20261120120000_queue', ALL, /There is no way back from/],
  [
    'a database of a newer release',
    '1.0.0',
    [...migrations, OWNERS],
    /29990102000000_owners_index, which this release does not know/,
  ],
])('it refuses %s, and changes nothing', async (_, to, all, problem) => {
  await up();
  await expect(down(to, { all })).rejects.toMatchObject({
    code: 'database_revert_refused',
    problem: expect.stringMatching(problem),
  });
  expect(await applied()).toEqual(names(ALL));
});

test('a way back that fails leaves everything as it was', async () => {
  const broken = { ...OWNERS, down: `${OWNERS.down}\nDROP TABLE duework.no_such_table;` };
  await up();
  await expect(down('1.0.0', { all: [...migrations, broken, INDEX] })).rejects.toMatchObject({
    code: 'database_migration_failed',
    problem: expect.stringMatching(/the way back from 29990101000000_owners: .*no_such_table/),
  });
  expect(await applied()).toEqual(names(ALL));
  expect(await query(`SELECT to_regclass('duework.owners_mail_idx') IS NOT NULL AS is`)).toEqual([{ is: true }]);
});

test('a row that is written while it is asked what would be lost is found, too', async () => {
  await up();
  await withServer(database.url, async (client) => {
    await client.query(`BEGIN; INSERT INTO duework.owners VALUES ('late', 'x')`);
    const reverting = down('1.0.0');
    // it cannot lock the table against the writer, and tries again
    await withServer(database.url, async (other) => {
      for (let rows = 0; rows === 0;)
        rows = (
          await other.query(`SELECT FROM pg_locks AS l WHERE NOT l.granted AND l.relation = 'duework.owners'::regclass`)
        ).rowCount!;
    });
    await client.query('COMMIT');
    await expect(reverting).rejects.toMatchObject({
      problem: expect.stringContaining('addresses of owners (1: late)'),
    });
  });
});
