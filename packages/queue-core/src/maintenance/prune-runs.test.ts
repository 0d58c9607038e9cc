import { expect, test } from '@jest/globals';
import { useTestDatabase } from '@duework/testing/fixtures';
import type { Queryable } from '@duework/sql';
import { pruneRuns } from './prune-runs.js';

const database = useTestDatabase();
const KEEP = { keepDays: 30, keepDeadDays: 90 };

/** Keys of runs that are gone, older than is kept. */
const fill = (rows: number) => database.db.$executeRaw`
  INSERT INTO duework.job_keys (job_type, key, run_id, needed_at)
  SELECT 't', n, n, now() - interval '40 days' FROM generate_series(1, ${rows}::int) AS n`;

/** Counts the statements, each of which is a transaction of its own. */
function counted(onStatement: () => void): { db: Queryable; statements: () => number } {
  let statements = 0;
  const db: Queryable = {
    $queryRaw: async (query, ...values) => {
      statements++;
      const rows = await database.db.$queryRaw(query, ...values);
      onStatement();
      return rows as never;
    },
  };
  return { db, statements: () => statements };
}

test('a backlog of old rows is removed in steps, none of which is a long transaction', async () => {
  await fill(25_000);
  const { db, statements } = counted(() => {});
  await pruneRuns(db, KEEP);
  expect(await database.db.jobKey.count()).toBe(0);
  // three for the keys, and one for each of the rest
  expect(statements()).toBe(24);
});

test('a worker that stops leaves the rest of the old rows to the next one', async () => {
  await fill(25_000);
  const told = new AbortController();
  const { db } = counted(() => told.abort());
  await pruneRuns(db, KEEP, told.signal);
  expect(await database.db.jobKey.count()).toBe(15_000);
  await pruneRuns(database.db, KEEP);
  expect(await database.db.jobKey.count()).toBe(0);
});
