import { connectPg, type PgClient } from '@duework/database';
import { expect, test } from '@jest/globals';
import { openQueue } from '../queue/open-queue.js';
import type { ClaimRequest } from '../ports/runs.js';
import { emptyTables, passTimeIn, testCatalog, useTestDatabase } from '@duework/testing/fixtures';
import { createPostgresStore } from './postgres-store.js';
import { describeStore, type StoreHarness } from '@duework/testing/conformance';
import type { Queryable } from '@duework/sql';

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

test('a prepared store has the connections that a rush needs', async () => {
  const db = connectPg({ url: database.url, applicationName: 'prepared' });
  try {
    await createPostgresStore({ db }).prepare(testCatalog);
    const [row] = await database.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'prepared' AND datname = current_database()`;
    expect(row).toEqual({ count: 4 });
  } finally {
    await db.$disconnect();
  }
});
