import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testServerVariable, testTemplateVariable } from './test-server-env.js';
import { withDatabaseName, withServer } from './with-server.js';

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** Drops the database, even while sessions are connected to it. */
  drop(): Promise<void>;
}

export interface CreateTestDatabaseOptions {
  /** `false`: an empty database. Default: a migrated one. */
  readonly isMigrated?: boolean;
}

/**
 * Copying the files costs the server a third of copying their pages through its log, but it waits for two checkpoints: only
 * quick where nothing is synced. PostgreSQL 14 knows no other way.
 */
const STRATEGY = `SELECT CASE WHEN current_setting('fsync') = 'off' AND current_setting('server_version_num')::int >= 150000
  THEN 'STRATEGY file_copy' ELSE '' END AS strategy`;

/**
 * A database for one test file: a clone of the migrated one (34 ms), or an empty one.
 *
 * @throws Error when the global setup (`setUpTestDatabases`) did not run
 */
export async function createTestDatabase(options: CreateTestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = process.env[testServerVariable];
  const template = process.env[testTemplateVariable];
  if (server === undefined || template === undefined) {
    throw new Error('There is no server for tests: name @duework/embedded/testing as globalSetup of Jest or Vitest.');
  }
  const name = `duework_test_${randomBytes(6).toString('hex')}`;
  const source = options.isMigrated === false ? 'template0' : template;
  const quoted = pg.escapeIdentifier(name);
  await withServer(server, async (client) => {
    const { rows } = await client.query<{ strategy: string }>(STRATEGY);
    await client.query(`CREATE DATABASE ${quoted} TEMPLATE ${pg.escapeIdentifier(source)} ${rows[0]!.strategy}`);
  });
  return {
    url: withDatabaseName(server, name),
    name,
    drop: () =>
      withServer(server, async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`))),
  };
}
