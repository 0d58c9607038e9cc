import { beforeEach, expect, test } from '@jest/globals';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import type { AlertLimits } from '../../ports/upkeep.js';
import { raiseAlerts } from './raise-alerts.js';

const database = useTestDatabase();
const limits = { maxDeadPerHour: 10, maxWaitingSeconds: 60, maxUnservedSeconds: 1e9, maxHorizonSeconds: 300 };

beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.job_alerts`;
});

const add = (queue: string, priority: number, runAt: string, rows = 1) => database.db.$executeRaw`
  INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
  SELECT ${queue}, 'echo', 1, ${priority}::int, now() + ${runAt}::text::interval, '{"n":1}', 10 FROM generate_series(1, ${rows}::int)`;

test('the alert about waiting goes by the run that has waited longest, whatever its queue and priority', async () => {
  await add('a', 0, '-10 seconds');
  await add('b', 5, '1 hour');
  await add('c', 9, '-50 seconds');
  expect(await raiseAlerts(database.db, limits)).toEqual([]);
  await add('c', 9, '-5000 seconds');
  await add('c', 3, '-100 seconds');
  await add('z', 0, '-20 seconds');
  expect(await raiseAlerts(database.db, limits)).toEqual([
    { name: 'oldest_job_waits_too_long', facts: { waitingSeconds: expect.closeTo(5_000, -2), limit: 60 } },
  ]);
});

test('runs that are running or not yet due do not count as waiting', async () => {
  await add('a', 5, '2 minutes');
  await add('b', 5, '-5000 seconds');
  await database.db.$executeRaw`
    UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = 'w', locked_until = now() + interval '1 min', claimed_at = now()
    WHERE queue = 'b'`;
  expect(await raiseAlerts(database.db, limits)).toEqual([]);
});

/**
 * The least of three, on a connection that has asked before: the first time reads the catalog, too, and so does one
 * after somebody on the same server has changed it. That only ever adds.
 */
async function buffersOfAlerts(given: AlertLimits = limits): Promise<number> {
  const engine = database.connectPg({ poolSize: 1 });
  const count = () => countBuffers(engine, (spy) => raiseAlerts(spy, given), {});
  await count();
  return Math.min(await count(), await count(), await count());
}

test('alerts are raised without counting 50,000 waiting runs and 50,000 that are not due yet', async () => {
  await database.db.$executeRaw`ALTER TABLE duework.job_runs SET (autovacuum_enabled = off)`;
  await add('a', 5, '-10 seconds', 50_000);
  await add('b', 5, '1 hour', 50_000);
  expect(await buffersOfAlerts()).toBeLessThan(400);
});

test('what no worker can read is looked for among the first runs of each queue and priority only', async () => {
  await database.db.$executeRaw`ALTER TABLE duework.job_runs SET (autovacuum_enabled = off)`;
  const unserved = { ...limits, maxUnservedSeconds: 300 };
  await add('a', 5, '-10 minutes', 2_000);
  const few = await buffersOfAlerts(unserved);
  await add('a', 5, '-9 minutes', 50_000);
  expect(await buffersOfAlerts(unserved)).toBeLessThan(few * 1.2);
  await database.db.$executeRaw`TRUNCATE duework.job_alerts`;
  expect(await raiseAlerts(database.db, unserved)).toContainEqual({
    name: 'no_worker_for_type',
    facts: expect.objectContaining({ queue: 'a', type: 'echo', version: 1, waiting: 1_000 }),
  });
});

test('recent failures are counted in the newest pages only, however many attempts there were', async () => {
  const finish = (rows: number, failed: number) => database.db.$executeRaw`
    WITH succeeded AS (
      INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at, created_at, finished_at)
      SELECT duework.next_run_id(), 'default', 'echo', 1, 'succeeded', 5, now(), '{}', 1, 3, 1, 'w', now(), now(), now() FROM generate_series(1, ${rows}::int)
    )
    INSERT INTO duework.job_attempts (run_id, fence, attempt, job_type, outcome, worker, claimed_at, error_code)
    SELECT duework.next_run_id(), 1, 1, 'echo', 'failed', 'w', now(), 'x' FROM generate_series(1, ${failed}::int)`;
  await finish(60_000, 60_000);
  const once = await buffersOfAlerts();
  await finish(120_000, 120_000);
  expect(await buffersOfAlerts()).toBeLessThan(once * 1.2);
  // 500 pages of each, and what else is asked
  expect(once).toBeLessThan(1_400);
});
