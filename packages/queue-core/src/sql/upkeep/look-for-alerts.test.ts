import { beforeEach, expect, test } from '@jest/globals';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import type { AlertLimits } from '../../ports/alerts.js';
import { lookForAlerts } from './look-for-alerts.js';

const database = useTestDatabase();
const limits = { maxDeadPerHour: 10, maxWaitingSeconds: 60, maxUnservedSeconds: 1e9, maxHorizonSeconds: 300 };

beforeEach(async () => {
  await database.db
    .$executeRaw`TRUNCATE duework.job_runs, duework.job_history, duework.job_attempts, duework.job_alerts, duework.alert_silences, duework.xid_samples`;
});

const look = (given: AlertLimits = limits) => lookForAlerts(database.db, given, []);
const add = (queue: string, priority: number, runAt: string, rows = 1) => database.db.$executeRaw`
  INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
  SELECT ${queue}, 'echo', 1, ${priority}::int, now() + ${runAt}::text::interval, '{"n":1}', 10 FROM generate_series(1, ${rows}::int)`;

test('the alert about waiting goes by the run that has waited longest, whatever its queue and priority', async () => {
  await add('a', 0, '-10 seconds');
  await add('b', 5, '1 hour');
  await add('c', 9, '-50 seconds');
  expect(await look()).toEqual([]);
  await add('c', 9, '-5000 seconds');
  await add('c', 3, '-100 seconds');
  await add('z', 0, '-20 seconds');
  expect(await look()).toMatchObject([
    {
      name: 'oldest_job_waits_too_long',
      subject: 'c',
      facts: { queue: 'c', waitingSeconds: expect.closeTo(5_000, -2), limit: 60 },
    },
  ]);
});

test('runs that are running or not yet due do not count as waiting', async () => {
  await add('a', 5, '2 minutes');
  await add('b', 5, '-5000 seconds');
  await database.db.$executeRaw`
    UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = 'w', locked_until = now() + interval '1 min', claimed_at = now()
    WHERE queue = 'b'`;
  expect(await look()).toEqual([]);
});

/**
 * The least of three, on a connection that has asked before: the first time reads the catalog, too, and so does one
 * after somebody on the same server has changed it. That only ever adds.
 */
async function buffersOfAlerts(given: AlertLimits = limits): Promise<number> {
  const engine = database.connectPg({ poolSize: 1 });
  const count = () => countBuffers(engine, (spy) => lookForAlerts(spy, given, []), []);
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
  expect(await look(unserved)).toMatchObject([
    {
      name: 'no_worker_for_type',
      subject: 'echo@1/a',
      facts: { queue: 'a', type: 'echo', version: 1, waiting: 1_000 },
    },
    { name: 'oldest_job_waits_too_long', subject: 'a' },
  ]);
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

test('after everything was down, what waits raises nothing before somebody has looked for a minute', async () => {
  await database.db.$executeRaw`TRUNCATE duework.xid_samples`;
  await database.db.$executeRaw`INSERT INTO duework.xid_samples (seen_at) VALUES (now() - interval '28 minutes')`;
  await add('a', 5, '-28 minutes');
  const unserved = { ...limits, maxUnservedSeconds: 300 };
  // the API, and the worker a moment later
  for (let n = 0; n < 2; n++) expect(await look(unserved)).toEqual([]);
  await database.db.$executeRaw`UPDATE duework.xid_samples SET seen_at = seen_at - interval '1 minute'`;
  expect(await look(unserved)).toMatchObject([
    { name: 'no_worker_for_type', status: 'raised' },
    { name: 'oldest_job_waits_too_long', status: 'raised' },
  ]);
});

test('two who look at the same time tell each message once, however often they look', async () => {
  const [one, other] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
  const told: string[] = [];
  const both = async (): Promise<void> => {
    const looks = [one, other, one, other].map((db) => lookForAlerts(db, limits, ['webhook']));
    for (const { name, subject, status } of (await Promise.all(looks)).flat())
      told.push(`${name}/${subject} ${status}`);
  };
  for (let round = 0; round < 5; round++) {
    for (const queue of ['a', 'b', 'c', 'd']) await add(queue, 5, '-5 minutes');
    for (let n = 0; n < 3; n++) await both();
    await database.db.$executeRaw`DELETE FROM duework.job_runs`;
    await database.db.$executeRaw`UPDATE duework.job_alerts SET seen_at = now() - interval '1 hour', tell_at = now()`;
    for (let n = 0; n < 3; n++) await both();
    await database.db.$executeRaw`UPDATE duework.job_alerts SET tell_at = now()`;
  }
  const subjects = ['a', 'b', 'c', 'd'].map((queue) => `oldest_job_waits_too_long/${queue}`);
  expect(told.toSorted()).toEqual(
    subjects.flatMap((key) => [...Array(5).fill(`${key} raised`), ...Array(5).fill(`${key} resolved`)]),
  );
});

test('nobody is told of what is silenced, and of what is still on when the silence ends', async () => {
  const silence = (key: string, minutes: number) => database.db.$executeRaw`
    INSERT INTO duework.alert_silences (key, until, by) VALUES (${key}, now() + ${minutes}::int * interval '1 minute', 'ana')`;
  const end = () => database.db.$executeRaw`DELETE FROM duework.alert_silences`;
  await add('a', 5, '-10 minutes');
  await add('b', 5, '-10 minutes');
  await silence('oldest_job_waits_too_long/a', 10);
  expect(await look()).toMatchObject([{ subject: 'b', status: 'raised' }]);
  await end();
  await silence('oldest_job_waits_too_long', 10);
  expect(await look()).toEqual([]);
  await end();
  await silence('*', 10);
  expect(await look()).toEqual([]);
  await end();
  expect(await look()).toMatchObject([{ subject: 'a', status: 'raised' }]);
  // who has heard of it hears that it is over
  await silence('*', 10);
  await database.db.$executeRaw`DELETE FROM duework.job_runs`;
  await database.db.$executeRaw`UPDATE duework.job_alerts SET seen_at = now() - interval '1 hour'`;
  expect(await look()).toMatchObject([
    { subject: 'a', status: 'resolved' },
    { subject: 'b', status: 'resolved' },
  ]);
});

test('the view of what is wrong says the same to whoever looks with psql', async () => {
  await add('a', 5, '-10 minutes');
  expect(await database.db.$queryRaw`SELECT name, subject FROM duework.alert_conditions ORDER BY name`).toEqual([
    { name: 'no_worker_for_type', subject: 'echo@1/a' },
    { name: 'oldest_job_waits_too_long', subject: 'a' },
  ]);
});
