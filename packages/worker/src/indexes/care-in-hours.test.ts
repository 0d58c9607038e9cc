import { connectPg, type PgClient } from '@duework/database';
import { createTestDatabase, type TestDatabase, withServer } from '@duework/database/testing';
import type { WorkerEvent } from '@duework/queue-core';
import { defineCatalog, defineJob } from '@duework/contracts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { runWorker } from '../run-worker.js';
import { until } from '../testing/until.js';
import { careInHours } from './care-in-hours.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const greet = defineJob({ type: 'greet', payload: z.object({}) });

let database: TestDatabase;
let db: PgClient;
beforeEach(async () => {
  database = await createTestDatabase();
  db = connectPg({ url: database.url, poolSize: 2 });
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
});

const query = (...statements: string[]): Promise<Record<string, unknown>[]> =>
  withServer(database.url, async (client) => {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows as Record<string, unknown>[];
    return rows;
  });
const run = (indexCare: string, databaseUrl: string, signal?: AbortSignal): Promise<number> =>
  runWorker({
    catalog: defineCatalog([greet]),
    handlers: { greet: () => {} },
    databaseUrl,
    indexCare,
    workerPort: 'none',
    log: silent,
    handleSignals: false,
    ...(signal === undefined ? {} : { signal }),
  });

/** What an unfinished rebuild leaves. */
const leaveOver = (): Promise<unknown> =>
  query(
    'CREATE INDEX job_keys_pkey_ccnew ON duework.job_keys (run_id)',
    `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'duework.job_keys_pkey_ccnew'::regclass`,
  );
const leftOvers = (): Promise<unknown[]> => query(`SELECT FROM pg_class WHERE relname ~ '_ccnew'`);

test('what is mostly empty is rebuilt within its hours, and not outside of them', async () => {
  await query(
    'ALTER TABLE duework.job_keys SET (autovacuum_enabled = off)',
    `INSERT INTO duework.job_keys (job_type, key, run_id) SELECT 'greet', 'k' || n, n FROM generate_series(1, 20000) AS n`,
    'VACUUM ANALYZE duework.job_keys',
    'DELETE FROM duework.job_keys WHERE run_id % 20 > 0',
    'VACUUM ANALYZE duework.job_keys',
  );
  const events: WorkerEvent[] = [];
  const care = { url: database.url, engine: db, worker: 'ada', limits: { bloatBytes: 256 * 1024 } };
  const emit = (event: WorkerEvent): void => void events.push(event);
  const { signal } = new AbortController();
  const [{ minute }] = (await query(
    `SELECT (extract(epoch FROM now() AT TIME ZONE 'UTC')::int / 60 % 1440) AS minute`,
  )) as [{ minute: number }];
  const other = { from: (minute + 600) % 1_440, to: (minute + 660) % 1_440, zone: 'UTC' };
  await careInHours({ ...care, hours: other, emit }, signal);
  expect(events).toEqual([]);
  await careInHours({ ...care, hours: { from: 0, to: 1_440, zone: 'UTC' }, emit }, signal);
  expect(events).toContainEqual({
    name: 'index.rebuilt',
    worker: 'ada',
    index: 'job_keys_pkey',
    beforeBytes: expect.any(Number),
    afterBytes: expect.any(Number),
  });
});

test('a worker with INDEX_CARE cleans up after another one, and one without it does not', async () => {
  await leaveOver();
  const stop = new AbortController();
  const worker = run('00:00-24:00', database.url, stop.signal);
  await until(async () => (await leftOvers()).length === 0);
  stop.abort();
  expect(await worker).toBe(0);
  expect(await query(`SELECT name FROM duework.chores WHERE name LIKE 'indexes %'`)).toHaveLength(1);
});

test('a worker whose role may not rebuild indexes does not start with INDEX_CARE, and says who may', async () => {
  const url = new URL(database.url);
  [url.username, url.password] = [`worker_${database.name}`, 'x'];
  await query(
    `CREATE ROLE ${url.username} LOGIN PASSWORD 'x'`,
    `GRANT USAGE ON SCHEMA duework TO ${url.username}`,
    `GRANT ALL ON ALL TABLES IN SCHEMA duework TO ${url.username}`,
  );
  try {
    await expect(run('00:00-24:00', String(url))).rejects.toMatchObject({
      code: 'database_permission_denied',
      message: expect.stringMatching(/only their owner "\w+" may\. Run npx duework indexes --rebuild as that role/),
    });
  } finally {
    await query(`DROP OWNED BY ${url.username}`, `DROP ROLE ${url.username}`);
  }
});
