import { connectPg, type PgClient } from '@duework/database';
import { withServer } from '@duework/database/testing';
import { describe, expect, test } from '@jest/globals';
import type { Catalog, JobContract } from '@duework/contracts';
import { openQueue } from '../queue/open-queue.js';
import type { ClaimRequest } from '../ports/runs.js';
import { emptyTables, passTimeIn, testCatalog, useTestDatabase } from '@duework/testing/fixtures';
import { createPostgresStore } from './postgres-store.js';
import { describeStore, type StoreHarness } from '@duework/testing/conformance';
import type { Queryable, Statement } from '@duework/sql';

const database = useTestDatabase();

const MALFORMED = ['0', '-1', '01', '1.5', 'abc', '', '9223372036854775808', '1e3', ' 1', '1; DROP TABLE x'];

describeStore('the store in PostgreSQL, through Prisma', () => open(database.db));

let pg: PgClient | undefined;
describeStore('the store in PostgreSQL, through pg', () => open((pg ??= database.connectPg())));

async function open(db: Queryable): Promise<StoreHarness> {
  await emptyTables(database.db);
  // each claim is another worker's: one that has just claimed would not find at once what is moved into the past
  const store = {
    ...createPostgresStore({ db }),
    claim: (request: ClaimRequest) => createPostgresStore({ db }).claim(request),
  };
  return {
    store,
    queue: openQueue(db),
    tx: db,
    ids: { malformed: MALFORMED, unknown: '9223372036854775807' },
    passTime: (ms) => passTimeIn(database.db, ms),
  };
}

describe('a store that is prepared', () => {
  /** The statements that it sends. */
  async function prepare(catalog: Catalog): Promise<{ texts: string[]; connections: number; changed: object }> {
    const db = connectPg({ url: database.url, applicationName: 'prepared' });
    const texts: string[] = [];
    const recording = {
      $queryRaw: <T>(statement: Statement): Promise<T> => (texts.push(statement.text), db.$queryRaw<T>(statement)),
    };
    try {
      const changed = await createPostgresStore({ db: recording }).prepare(catalog);
      const [row] = await database.db.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'prepared' AND datname = current_database()`;
      return { texts, connections: row!.count, changed };
    } finally {
      await db.$disconnect();
    }
  }
  const version = (one: Partial<JobContract>): Catalog => [{ ...testCatalog[0]!, type: 'prepared', ...one }];
  const defined = async (): Promise<object | undefined> => {
    const [row] = await database.db.$queryRaw<object[]>`
      SELECT max_attempts, updated_at FROM duework.job_definitions WHERE type = 'prepared'`;
    return row;
  };

  test('looks once, over one connection, and writes nothing where all of it is there', async () => {
    await prepare(version({}));
    const before = await defined();
    const { texts, connections, changed } = await prepare(version({}));
    expect({ statements: texts.length, connections, changed }).toEqual({ statements: 1, connections: 1, changed: [] });
    expect(await defined()).toEqual(before);
  });

  test('writes a definition that differs, and a version that nobody knows', async () => {
    await prepare(version({}));
    expect((await prepare(version({ maxAttempts: 3 }))).texts).toHaveLength(2);
    expect(await defined()).toMatchObject({ max_attempts: 3 });
    expect((await prepare(version({ maxAttempts: 3, version: 2 }))).texts.length).toBeGreaterThan(2);
    // an older program changes nothing, however often it starts
    expect((await prepare(version({ maxAttempts: 4 }))).changed).toEqual([]);
    expect(await defined()).toMatchObject({ max_attempts: 3 });
  });

  test('makes the partitions of the days ahead where the last one is missing', async () => {
    await prepare(version({ type: 'ahead' }));
    const partitions = () => database.db.$queryRaw`
      SELECT c.relname FROM pg_class AS c WHERE c.relname ~ '^job_(history_succeeded|attempts)_[0-9]{8}$' ORDER BY 1`;
    const before = await partitions();
    await withServer(database.url, (server) =>
      server.query(`
      DO $$ BEGIN
        EXECUTE 'DROP TABLE duework.job_attempts_' || to_char(duework.day_of_id(duework.first_id_today(7)), 'YYYYMMDD');
      END $$`),
    );
    expect((await prepare(version({ type: 'ahead' }))).texts).toHaveLength(2);
    expect(await partitions()).toEqual(before);
  });
});
