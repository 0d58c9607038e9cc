import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';

const database = useTestDatabase();

test.each([
  [0, 10_000],
  [4, 10_000],
  [8, 5_000],
  [100, 1_000],
])('of the runs of %i queues %i each are looked at', async (queues, each) => {
  await emptyTables(database.db, 'job_runs');
  await database.db.$executeRaw`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'queue_' || n % ${queues}::integer, 'work', 1, 5, now(), '{}', 10 FROM generate_series(1, 3 * ${queues}::integer) AS n`;
  const [row] = await database.db.$queryRaw<[{ each: number }]>`SELECT duework.share_budget(10000) AS each`;
  expect(row.each).toBe(each);
});
