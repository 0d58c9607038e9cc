import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connectPg } from '@duework/database';
import { createTestDatabase, type TestDatabase, withServer } from '@duework/database/testing';
import { useOwnServer } from '@duework/testing/fixtures';
import pg from 'pg';
import type { DoctorLimits } from './doctor-limits.js';
import { runDoctor } from './run-doctor.js';

const server = useOwnServer({ fsync: 'off', full_page_writes: 'off', autovacuum: 'off', track_counts: 'off' });
const doctorOf = async (url: string, limits?: Partial<DoctorLimits>): Promise<string[]> => {
  const db = connectPg({ url, poolSize: 1, role: 'app' });
  try {
    return (await runDoctor(db, { endOfMajor: {}, ...limits })).findings.map(({ code, about }) => `${code} ${about}`);
  } finally {
    await db.$disconnect();
  }
};
const always = [
  'durability_off setting fsync',
  'durability_off setting full_page_writes',
  'autovacuum_off setting autovacuum',
  'autovacuum_off setting track_counts',
];
const run = (...statements: string[]): Promise<void> =>
  withServer(server.url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
/** Changes a setting of the server, and waits until new sessions have it. */
async function change(statement: string): Promise<void> {
  const loadedAt = (): Promise<unknown> =>
    withServer(server.url, async (client) => (await client.query('SELECT pg_conf_load_time()::text')).rows[0]);
  const before = JSON.stringify(await loadedAt());
  await run(statement, 'SELECT pg_reload_conf()');
  while (JSON.stringify(await loadedAt()) === before);
}

test('a server that may lose the database, or that removes no dead rows, is found by its settings', async () => {
  expect(await doctorOf(server.url)).toEqual(always);
});

test('a version that nobody mends any more is found by the day', async () => {
  const endOfMajor = (day: string) => Object.fromEntries([14, 15, 16, 17, 18].map((major) => [major, day]));
  expect(await doctorOf(server.url, { endOfMajor: endOfMajor('2026-01-31') })).toEqual([
    ...always,
    expect.stringMatching(/^server_version_ended PostgreSQL \d+/),
  ]);
  expect(await doctorOf(server.url, { endOfMajor: endOfMajor('2999-01-31') })).toEqual(always);
});

describe('settings of a database are found', () => {
  const settings = [
    ['default_transaction_read_only', 'on', 'server_read_only setting default_transaction_read_only'],
    ['default_transaction_isolation', `'repeatable read'`, 'isolation_changed setting default_transaction_isolation'],
    ['statement_timeout', `'2s'`, 'statement_timeout_short setting statement_timeout'],
    ['synchronous_commit', 'off', 'commits_not_durable setting synchronous_commit'],
    ['TimeZone', `'Europe/Berlin'`, 'zone_not_utc database postgres'],
  ] as const;
  afterEach(() => run('SET default_transaction_read_only = off', 'ALTER DATABASE postgres RESET ALL'));

  test.each(settings)('%s = %s', async (name, value, finding) => {
    await run(`ALTER DATABASE postgres SET ${name} = ${value}`);
    const findings = await doctorOf(server.url, { endOfMajor: {} });
    expect(findings.filter((line) => !always.includes(line))).toEqual([finding]);
  });
});

describe('the zone', () => {
  afterEach(async () => {
    await change('ALTER SYSTEM RESET TimeZone');
    await run('ALTER DATABASE postgres RESET ALL');
  });

  test('that the server has is found, unless the database has UTC', async () => {
    await change(`ALTER SYSTEM SET TimeZone = 'Asia/Tokyo'`);
    expect(await doctorOf(server.url, { endOfMajor: {} })).toEqual([...always, 'zone_not_utc postgresql.conf']);
    await run(`ALTER DATABASE postgres SET TimeZone = 'UTC'`);
    expect(await doctorOf(server.url, { endOfMajor: {} })).toEqual(always);
  });

  test('that the given client itself has is found', async () => {
    const pool = new pg.Pool({ connectionString: server.url, options: '-c TimeZone=Asia/Tokyo' });
    const { findings } = await runDoctor(pool, { endOfMajor: {} });
    await pool.end();
    expect(findings.map(({ code, about }) => `${code} ${about}`)).toEqual([...always, 'zone_not_utc this session']);
  });
});

describe('a role', () => {
  let database: TestDatabase;
  const url = (): string => Object.assign(new URL(database.url), { username: role, password: 'secret' }).toString();
  const role = `looker_${process.pid}`;
  const asOwner = (...statements: string[]): Promise<void> =>
    withServer(database.url, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  beforeAll(async () => {
    database = await createTestDatabase();
    await asOwner(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  });
  afterAll(async () => {
    await asOwner(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`);
    await database.drop();
  });
  const findings = async (): Promise<string[]> =>
    (await doctorOf(url(), { endOfMajor: {} })).filter((line) => !line.startsWith('durability_off'));

  test('that may read nothing is told which checks it could not make, and what to grant', async () => {
    expect(await findings()).toEqual(['check_not_allowed check migrations']);
    await asOwner(`GRANT USAGE ON SCHEMA duework TO ${role}`, `GRANT SELECT ON duework.migrations TO ${role}`);
    expect(await findings()).toEqual(expect.arrayContaining(['check_not_allowed check partitions']));
    await asOwner(`GRANT pg_monitor TO ${role}`, `GRANT SELECT ON ALL TABLES IN SCHEMA duework TO ${role}`);
    expect(await findings()).toEqual([]);
  });

  test('or a database that has few connections left is found', async () => {
    await asOwner(`ALTER ROLE ${role} CONNECTION LIMIT 1`, `ALTER DATABASE ${database.name} CONNECTION LIMIT 1`);
    expect(await findings()).toEqual([
      `connections_low the database ${database.name}`,
      `connections_low the role ${role}`,
    ]);
    await asOwner(`ALTER ROLE ${role} CONNECTION LIMIT 9`, `ALTER DATABASE ${database.name} CONNECTION LIMIT 9`);
    expect(await findings()).toEqual([]);
  });
});
