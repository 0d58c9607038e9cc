import { Prisma } from '@duework/database';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Queryable, Transactable } from '@duework/queue-core';
import { inTransaction, queryRows, sql } from '@duework/sql';
import { pruneExpiredKeys, pruneWithRuns } from '@duework/queue-core/internals';
import { useTestDatabase } from '@duework/testing/fixtures';
import { pruneLedger } from './prune-ledger.js';

const database = useTestDatabase();
const KEEP = { keepDays: 30, keepDeadDays: 30 };
const TABLES = ['job_keys', 'job_effects', 'schedule_ledger', 'job_runs'];

const run = async (...statements: string[]) => {
  for (const statement of statements) await database.db.$executeRaw(Prisma.raw(statement));
};
beforeAll(() => run(...TABLES.map((table) => `ALTER TABLE duework.${table} SET (autovacuum_enabled = off)`)));
afterEach(() =>
  run(`TRUNCATE duework.job_keys, duework.job_effects, duework.schedule_ledger, duework.job_runs, duework.job_history`),
);

let lastId = 0;

/** Rows that are `age` old; with `isLive`, each key and effect belongs to a run that still waits. */
async function fill(rows: number, age: string, { isLive = false } = {}): Promise<void> {
  const from = `FROM generate_series(${lastId + 1}, ${(lastId += rows)}) AS id, (SELECT now() - interval '${age}' AS at) AS x`;
  await run(
    `INSERT INTO duework.job_keys (job_type, key, run_id, needed_at, expires_at) SELECT 't', id, id, at, CASE WHEN id % 2 = 0 THEN at + interval '35 days' END ${from}`,
    `INSERT INTO duework.job_effects (job_type, run_key, name, run_id, fence, needed_at) SELECT 't', id, 'mail', id, 1, at ${from}`,
    `INSERT INTO duework.schedule_ledger (schedule_id, due_at, schedule_key, job_type, outcome, run_id, fires_at, decided_at, late_ms)
     SELECT id, at, 's', 't', 'fired', id, at, at, 0 ${from}`,
  );
  if (isLive) {
    await run(`INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
      SELECT run_id, 'default', 't', 1, 5, now() + interval '1 year', '{}', 3 FROM duework.job_keys`);
  }
}
const analyse = () => run(...TABLES.map((table) => `VACUUM ANALYZE duework.${table}`));

interface Reads {
  readonly handled: number;
  /** The tables that were read in full. */
  readonly scans: string[];
  /** The largest number of rows that were fetched from one table. */
  readonly fetched: number;
}

/** What a statement reads, by PostgreSQL's own counters. */
async function countReads(db: Transactable, act: (db: Queryable) => Promise<number>): Promise<Reads> {
  return inTransaction(db, async (tx) => {
    // beside the counters of the transaction, there are those that the session has not reported yet
    const read = () =>
      queryRows<{ name: string; scans: number; fetched: number }>(
        tx,
        sql`
      SELECT relname::text AS name, seq_scan::int AS scans, coalesce(idx_tup_fetch, 0)::int AS fetched
      FROM pg_stat_xact_user_tables WHERE schemaname = 'duework' ORDER BY relid`,
      );
    const before = await read();
    const handled = await act(tx);
    const rows = (await read()).map(({ name, scans, fetched }, index) => ({
      name,
      scans: scans - before[index]!.scans,
      fetched: fetched - before[index]!.fetched,
    }));
    return {
      handled,
      scans: rows.filter(({ scans }) => scans > 0).map(({ name }) => name),
      fetched: Math.max(...rows.map(({ fetched }) => fetched)),
    };
  });
}

const statements: [string, (db: Queryable) => Promise<number>][] = [
  ['keys', (db) => pruneWithRuns(db, 'job_keys', KEEP, 50)],
  ['expired keys', (db) => pruneExpiredKeys(db, 50)],
  ['effects', (db) => pruneWithRuns(db, 'job_effects', KEEP, 50)],
  ['dueTimes', (db) => pruneLedger(db, 30, 50)],
];
const states: [string, () => Promise<unknown>][] = [
  ['never analysed', () => fill(5_000, '1 day')],
  [
    'that say there is nothing',
    async () => {
      await analyse();
      await fill(5_000, '1 day');
    },
  ],
  [
    'that say how many there are',
    async () => {
      await fill(20_000, '1 hour');
      await analyse();
    },
  ],
  [
    'of when there were ten',
    async () => {
      await fill(10, '1 hour');
      await analyse();
      await fill(20_000, '1 hour');
    },
  ],
];

describe.each(['connect', 'connectPg'] as const)('through %s', (connect) => {
  test.each(states)('retention reads the rows it removes and no others, with statistics %s', async (_, arrange) => {
    await arrange();
    const db = database[connect]({ poolSize: 1 });
    for (const [, act] of statements.filter(([name]) => name !== 'expired keys'))
      expect(await countReads(db, act)).toEqual({ handled: 0, scans: [], fetched: 0 });
    await fill(200, '40 days');
    for (const [, act] of statements) {
      expect(await countReads(db, act)).toEqual({ handled: 50, scans: [], fetched: 50 });
    }
  });
});

test('keys and effects of runs that still wait are read once, a batch at a time', async () => {
  await fill(120, '40 days', { isLive: true });
  const db = database.connect({ poolSize: 1 });
  for (const table of ['job_keys', 'job_effects'] as const) {
    const looked = [];
    for (let batch = 0; batch < 4; batch++) looked.push(await pruneWithRuns(db, table, KEEP, 50));
    expect(looked).toEqual([50, 50, 20, 0]);
  }
  expect([await database.db.jobKey.count(), await database.db.jobEffect.count()]).toEqual([120, 120]);
});
