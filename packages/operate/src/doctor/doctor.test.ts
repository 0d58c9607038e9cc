import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase, withServer } from '@duework/database/testing';
import { createKey } from '../keys/create-key.js';
import { revokeKey } from '../keys/revoke-key.js';
import type { DoctorLimits } from './doctor-limits.js';
import type { Finding, FindingCode } from './findings.js';
import { runDoctor } from './run-doctor.js';

let database: TestDatabase;
let db: PgClient;
beforeEach(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 2, role: 'app' });
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
});

const query = (...statements: string[]): Promise<void> =>
  withServer(database.url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** The server of the tests is not durable, to be fast; `doctor-server.test.ts` has one that is. */
const isOurs = ({ code }: Finding): boolean => code !== 'durability_off';
const examine = async (limits?: Partial<DoctorLimits>): Promise<Finding[]> =>
  [...(await runDoctor(db, { endOfMajor: {}, ...limits })).findings].filter(isOurs);

/** PostgreSQL 14 writes statistics a moment after the session that made them has ended. */
async function until(code: FindingCode, isFound: boolean, limits?: Partial<DoctorLimits>): Promise<Finding[]> {
  for (;;) {
    const findings = await examine(limits);
    if (findings.some((finding) => finding.code === code) === isFound) return findings;
  }
}

test('a database that was migrated is healthy', async () => {
  const report = await runDoctor(db, { endOfMajor: {} });
  expect(report.findings.filter(isOurs)).toEqual([]);
  expect(report.checks).toEqual([
    'server',
    'connections',
    'replication',
    'migrations',
    'schema',
    'indexes',
    'row security',
    'origin',
    'partitions',
    'dead rows',
    'snapshots',
    'size',
    'types',
    'programs',
    'keys',
  ]);
});

describe('a thing of the schema that is not as the migrations make it is named, with what to do', () => {
  const day = `to_char((now() AT TIME ZONE 'UTC')::date + 1, 'YYYYMMDD')`;
  test.each<[string, FindingCode, string, RegExp]>([
    [
      'DROP INDEX duework.job_runs_failed_idx',
      'schema_missing',
      'index job_runs_failed_idx',
      /^Run: CREATE INDEX job_/,
    ],
    [
      'ALTER TABLE duework.job_runs DROP CONSTRAINT job_runs_priority_check',
      'schema_missing',
      'constraint job_runs.job_runs_priority_check',
      /^Run: ALTER TABLE duework\.job_runs ADD CONSTRAINT job_runs_priority_check CHECK/,
    ],
    ['DROP TABLE duework.job_alerts', 'schema_missing', 'table job_alerts', /migrate --repair/],
    ['DROP VIEW duework.last_runs', 'schema_missing', 'view last_runs', /migrate --repair/],
    ['DROP FUNCTION duework.prune(integer, integer)', 'schema_missing', 'function prune(integer,integer)', /./],
    ['ALTER TABLE duework.job_alerts DROP COLUMN facts', 'schema_missing', 'column job_alerts.facts', /./],
    ['ALTER TABLE duework.job_alerts ALTER facts TYPE json', 'schema_changed', 'column job_alerts.facts', /./],
    ['ALTER TABLE duework.job_alerts ALTER facts DROP NOT NULL', 'schema_changed', 'column job_alerts.facts', /./],
    ['ALTER TABLE duework.job_runs SET (fillfactor = 90)', 'schema_changed', 'table job_runs', /./],
    ['ALTER SEQUENCE duework.job_runs_id_seq NO CYCLE', 'schema_changed', 'sequence job_runs_id_seq', /./],
    [
      'ALTER FUNCTION duework.prune(integer, integer) RESET ALL',
      'schema_changed',
      'function prune(integer,integer)',
      /./,
    ],
    [
      `CREATE OR REPLACE FUNCTION duework.first_id_of(day date) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 7::bigint'`,
      'schema_changed',
      'function first_id_of(date)',
      /./,
    ],
    [
      `CREATE OR REPLACE VIEW duework.queue_depth AS SELECT queue, job_type, due, scheduled, retrying, running, due AS held,
        oldest_waiting_seconds, is_at_least FROM duework.count_queue_depth(1)`,
      'schema_changed',
      'view queue_depth',
      /./,
    ],
    [
      'ALTER TABLE duework.job_runs ADD COLUMN tenant text',
      'schema_added',
      'column job_runs.tenant',
      /schema of yours/,
    ],
    ['CREATE TABLE duework.mine (id integer PRIMARY KEY, name text)', 'schema_added', 'table mine', /schema of yours/],
    ['CREATE VIEW duework.mine AS SELECT 1 AS one', 'schema_added', 'view mine', /./],
    [
      'CREATE TRIGGER mine BEFORE UPDATE ON duework.job_alerts FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      'schema_added',
      'trigger job_alerts.mine',
      /./,
    ],
  ])('%s', async (statement, code, about, fix) => {
    await query(statement);
    expect(await examine()).toEqual([expect.objectContaining({ code, about, fix: expect.stringMatching(fix) })]);
  });

  test('partitions of days come and go', async () => {
    await query('SELECT duework.ensure_partitions(9, 3)');
    expect(await examine()).toEqual([]);
    await query(`DO $$ BEGIN EXECUTE format('DROP TABLE duework.job_history_succeeded_%s', ${day}); END $$`);
    expect(await examine()).toEqual([
      expect.objectContaining({
        code: 'partition_missing',
        about: expect.stringMatching(/^partition job_history_succeeded_\d{8}$/),
        sentence: expect.stringMatching(/its day begins in less than a day\.$/),
      }),
    ]);
  });
});

test('history beside the days is found', async () => {
  await query(`
    INSERT INTO duework.job_attempts (run_id, fence, attempt, job_type, outcome, worker, claimed_at)
    VALUES (duework.first_id_today(40), 1, 1, 'greet', 'interrupted', 'w', now())`);
  expect(await examine()).toEqual([
    expect.objectContaining({ code: 'default_partition_used', about: 'partition job_attempts_days_default' }),
  ]);
});

describe('migrations', () => {
  test('a database that was never migrated lacks them all, and nothing else is asked of it', async () => {
    await query('DROP SCHEMA duework CASCADE');
    const report = await runDoctor(db, { endOfMajor: {} });
    expect(report.checks).toEqual(['server', 'connections', 'replication', 'migrations']);
    expect(report.findings.filter(isOurs)).toEqual([
      expect.objectContaining({
        code: 'not_migrated',
        sentence: expect.stringMatching(/^The database lacks (\d+) of \1 migrations\.$/),
        fix: 'Run: npx duework migrate',
      }),
    ]);
  });

  test.each<[FindingCode, string]>([
    ['not_migrated', `DELETE FROM duework.migrations WHERE name = (SELECT max(name) FROM duework.migrations)`],
    [
      'migration_changed',
      `UPDATE duework.migrations SET checksum = 'x' WHERE name = (SELECT max(name) FROM duework.migrations)`,
    ],
    ['migrated_by_newer', `INSERT INTO duework.migrations (name, checksum) VALUES ('29990101000000_later', 'x')`],
  ])('%s', async (code, statement) => {
    await query(statement);
    expect((await examine()).map((finding) => finding.code)).toEqual([code]);
  });

  test('what a newer release has made is no drift', async () => {
    await query(
      `INSERT INTO duework.migrations (name, checksum) VALUES ('29990101000000_later', 'x')`,
      'CREATE TABLE duework.later (id integer)',
      'CREATE INDEX later_idx ON duework.job_runs (created_at)',
    );
    expect((await examine()).map(({ code }) => code)).toEqual(['migrated_by_newer']);
  });
});

describe('indexes', () => {
  test('one that nobody made and nobody reads is to be dropped', async () => {
    await query('CREATE INDEX mine ON duework.job_keys (run_id)');
    expect(await examine()).toEqual([
      expect.objectContaining({ code: 'index_unused', fix: 'Run: DROP INDEX CONCURRENTLY duework.mine;' }),
    ]);
  });

  test('one that nobody made and somebody reads is told with how often', async () => {
    await query(
      'CREATE INDEX mine ON duework.job_keys (run_id)',
      'SET enable_seqscan = off',
      'SELECT FROM duework.job_keys WHERE run_id = 7',
    );
    expect(await until('index_added', true)).toEqual([
      expect.objectContaining({ code: 'index_added', sentence: expect.stringContaining('it was read 1 times') }),
    ]);
  });

  test('one whose concurrent build failed is told as invalid', async () => {
    await query(`INSERT INTO duework.job_alerts VALUES ('a', now(), '{}'), ('b', now(), '{}')`);
    await expect(query('CREATE UNIQUE INDEX CONCURRENTLY mine ON duework.job_alerts (facts)')).rejects.toThrow(
      /could not create unique index/,
    );
    expect(await examine()).toEqual([expect.objectContaining({ code: 'index_invalid', about: 'index mine' })]);
  });

  test('one that is mostly empty is to be built anew', async () => {
    const limits = { bloatBytes: 256 * 1024 };
    await query(
      'ALTER TABLE duework.job_keys SET (autovacuum_enabled = off)',
      `INSERT INTO duework.job_keys (job_type, key, run_id) SELECT 'greet', 'k' || n, n FROM generate_series(1, 20000) AS n`,
      'VACUUM ANALYZE duework.job_keys',
    );
    const codes = async () => (await examine(limits)).map(({ code, about }) => `${code} ${about}`);
    expect(await codes()).toEqual(['schema_changed table job_keys']);
    await query(`DELETE FROM duework.job_keys WHERE run_id % 20 > 0`, 'VACUUM ANALYZE duework.job_keys');
    expect(await codes()).toContain('index_bloated index job_keys_pkey');
    await query('REINDEX INDEX duework.job_keys_pkey', 'REINDEX INDEX duework.job_keys_needed_at_idx');
    expect(await codes()).toEqual(['schema_changed table job_keys']);
  });
});

describe('what others put before our tables', () => {
  test('row-level security is found that hides jobs, and is none where a policy shows every row', async () => {
    await query(
      'ALTER TABLE duework.job_runs ENABLE ROW LEVEL SECURITY',
      'ALTER TABLE duework.job_runs FORCE ROW LEVEL SECURITY',
    );
    expect(await examine()).toContainEqual(
      expect.objectContaining({ code: 'row_security_on', sentence: expect.stringMatching(/1 tables .*: job_runs\.$/) }),
    );
    await query('CREATE POLICY all_rows ON duework.job_runs USING (true)');
    expect((await examine()).map(({ code }) => code)).not.toContain('row_security_on');
    await query('DROP POLICY all_rows ON duework.job_runs');
    await query(
      'ALTER TABLE duework.job_runs DISABLE ROW LEVEL SECURITY',
      'ALTER TABLE duework.job_runs NO FORCE ROW LEVEL SECURITY',
    );
    expect((await examine()).map(({ code }) => code)).not.toContain('row_security_on');
  });

  test('an event trigger that refuses the days that come is named', async () => {
    await query(
      `CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'ask the DBA'; END $$`,
      `CREATE EVENT TRIGGER only_the_dba ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION public.refuse()`,
    );
    try {
      await expect(query('SELECT duework.ensure_partitions(30)')).rejects.toThrow('ask the DBA');
      expect(await examine({ partitionDays: 30 })).toContainEqual(
        expect.objectContaining({ code: 'partition_missing', fix: expect.stringContaining('only_the_dba') }),
      );
    } finally {
      await query('DROP EVENT TRIGGER only_the_dba', 'DROP FUNCTION public.refuse');
    }
  });
});

test('a table whose dead rows nobody removes is found, until a vacuum comes', async () => {
  const limits = { deadRows: 5_000 };
  await query(
    'ALTER TABLE duework.job_keys SET (autovacuum_enabled = off)',
    `INSERT INTO duework.job_keys (job_type, key, run_id) SELECT 'greet', 'k' || n, n FROM generate_series(1, 6000) AS n`,
    'DELETE FROM duework.job_keys',
  );
  const codes = async (isFound: boolean) => (await until('dead_rows', isFound, limits)).map(({ code }) => code);
  expect(await codes(true)).toEqual(['schema_changed', 'dead_rows']);
  await query('VACUUM duework.job_keys');
  expect(await codes(false)).toEqual(['schema_changed']);
});

test('a snapshot that is held for too long is found, with the statement that ends it', async () => {
  await withServer(database.url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const found = (await examine({ pinnedSeconds: 0 })).find(({ about }) =>
      about.startsWith(`session ${rows[0]!.pid}`),
    );
    expect(found).toMatchObject({
      code: 'snapshot_pinned',
      fix: `End it: SELECT pg_terminate_backend(${rows[0]!.pid});`,
    });
    expect(await examine()).toEqual([]);
  });
});

test('due jobs that no live worker can run are found at once, by type and version', async () => {
  await query(`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'mail', 'greet', 3, 5, now() - interval '2 seconds', '{}', 1 FROM generate_series(1, 4)`);
  expect(await examine()).toEqual([
    expect.objectContaining({
      code: 'type_without_worker',
      about: 'type greet version 3 in the queue mail',
      sentence: expect.stringMatching(
        /^4 greet \(version 3\) wait in the queue mail, the oldest for \d+ s, and no live/,
      ),
    }),
  ]);
  await query(
    `INSERT INTO duework.worker_contracts (worker, queues, contracts) VALUES ('w', '{mail}', '{"greet": [1, 3]}')`,
  );
  expect(await examine()).toEqual([]);
});

test('a key that expires soon is found, and one that was used until it expired, but none that was made for a week', async () => {
  for (const name of ['late', 'soon', 'used', 'unused', 'revoked', 'week', 'old week'])
    await createKey(db, {
      name: name.replace(' ', '-'),
      scopes: ['read'],
      expiresIn: name === 'late' ? '90d' : name.endsWith('week') ? '7d' : '3d',
    });
  await query(
    `UPDATE duework.api_keys SET expires_at = now() - interval '5 hours' WHERE name IN ('used', 'unused')`,
    `UPDATE duework.api_keys SET last_used_at = now() WHERE name IN ('used', 'old-week')`,
    `UPDATE duework.api_keys SET created_at = now() - interval '80 days' WHERE name NOT LIKE '%week'`,
    // made to live a week: nobody is told all its life
    `UPDATE duework.api_keys SET created_at = now() - interval '8 days', expires_at = now() - interval '1 day' WHERE name = 'old-week'`,
  );
  await revokeKey(db, 'revoked');
  expect(await examine()).toEqual([
    expect.objectContaining({
      code: 'key_expired',
      about: 'key used',
      sentence: expect.stringMatching(/ 6 hours ago\.$/),
    }),
    expect.objectContaining({
      code: 'key_expiring',
      about: 'key soon',
      sentence: expect.stringMatching(/ in 3 days\.$/),
    }),
  ]);
});
