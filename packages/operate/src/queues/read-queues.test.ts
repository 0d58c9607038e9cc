import { beforeEach, expect, test } from '@jest/globals';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { addJobs } from '../testing/add-jobs.js';
import { readQueues } from './read-queues.js';

const database = useTestDatabase();

beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, figures_minutes');
});

/** What workers have counted of a type so many minutes ago. */
const counted = (minutesAgo: number, type: string, claimed: number, succeeded: number, failed: number) =>
  database.db.$executeRaw`
    INSERT INTO duework.figures_minutes (at, queue, job_type, claimed, succeeded, failed, dead, cancelled, snoozed, waited, ran, waited_ms, ran_ms)
    VALUES (date_trunc('minute', now()) - ${minutesAgo}::integer * interval '1 minute', 'default', ${type}, ${claimed}, ${succeeded}, ${failed}, 0, 0, 0, '{}', '{}', 0, 0)`;
const stateOf = async (type: string) => (await readQueues(database.db)).find((state) => state.type === type)!;

test('a type says when it failed last, and how many have succeeded since', async () => {
  await counted(4, 'mail', 90, 10, 80);
  await counted(3, 'mail', 60, 55, 5);
  await counted(2, 'mail', 50, 50, 0);
  await counted(1, 'mail', 37, 37, 0);
  await counted(2, 'fine', 5, 5, 0);
  const { lastFailedAt, succeededSince } = await stateOf('mail');
  expect(succeededSince).toBe(87);
  const [row] = await database.db.$queryRaw<
    { at: Date }[]
  >`SELECT date_trunc('minute', now()) - interval '2 minutes' AS at`;
  expect(lastFailedAt).toEqual(row!.at);
  expect(await stateOf('fine')).toMatchObject({ lastFailedAt: null, succeededSince: 0 });
});

test('the pace is that of the minutes since what waits began to wait', async () => {
  await counted(4, 'mail', 1, 1, 0);
  await counted(1, 'mail', 600, 600, 0);
  await counted(1, 'other', 1_200, 1_200, 0);
  await addJobs(database.db, [{ id: 1, status: 'queued', type: 'mail' }]);
  await database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() - interval '70 seconds'`;
  const [mail, other] = [(await stateOf('mail')).perSecond!, (await stateOf('other')).perSecond!];
  // of one to three minutes, with the one that is not over
  expect(mail).toBeGreaterThan(600 / 180);
  expect(mail).toBeLessThanOrEqual(600 / 60);
  expect(other / mail).toBeCloseTo(2, 1);
});

test('a type of which nothing began has no pace', async () => {
  await counted(2, 'mail', 0, 0, 0);
  expect(await stateOf('mail')).toMatchObject({ perSecond: null });
});

/** A sample of what waited so many minutes ago, as a worker takes one. */
const sampled = async (minutesAgo: number, due: Readonly<Record<string, number>>) => {
  for (const [type, count] of [
    ['*', Object.values(due).reduce((sum, one) => sum + one, 0)] as const,
    ...Object.entries(due),
  ])
    await database.db.$executeRaw`
      INSERT INTO duework.figures_minutes AS f (at, queue, job_type, due, running, held)
      VALUES (date_trunc('minute', now()) - ${minutesAgo}::integer * interval '1 minute', ${type === '*' ? '' : 'default'}, ${type}, ${count}, 0, 0)
      ON CONFLICT (at, queue, job_type) DO UPDATE SET due = excluded.due`;
};
const ran = (type: string, count: number, ms: number) => database.db.$executeRaw`
  UPDATE duework.figures_minutes SET ran = ARRAY[${count}::bigint], ran_ms = ${count * ms}::float8
  WHERE job_type = ${type} AND at = date_trunc('minute', now()) - interval '3 minutes'`;

test('the slots that a type needs are what came in a second, begun or waiting, times the mean time of an attempt', async () => {
  for (const minute of [4, 3, 2]) {
    await counted(minute, 'mail', 1_200, 1_200, 0);
    await counted(minute, 'other', 60, 60, 0);
  }
  await ran('mail', 100, 500);
  await ran('other', 10, 2_000);
  await sampled(4, {});
  await sampled(1, {});
  const mail = await stateOf('mail');
  // 3,600 in the three minutes between the samples
  expect(mail.arrivalsPerSecond).toBeCloseTo(20, 5);
  expect(mail.slotsNeeded).toBeCloseTo(10, 5);
  const other = await stateOf('other');
  expect(other.slotsNeeded).toBeCloseTo(2, 5);
});

test('what waits and did not five minutes ago has come, and what waited then and has begun has not', async () => {
  await counted(4, 'drains', 600, 600, 0);
  await counted(4, 'grows', 0, 0, 0);
  await sampled(5, { drains: 600, grows: 0 });
  await sampled(1, { drains: 0, grows: 0 });
  await addJobs(
    database.db,
    Array.from({ length: 50 }, (_, at) => ({ id: at + 1, status: 'queued' as const, type: 'grows' })),
  );
  await database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() - interval '1 second'`;
  const grows = await stateOf('grows');
  // 50 in five to six minutes
  expect(grows.arrivalsPerSecond).toBeGreaterThan(50 / 361);
  expect(grows.arrivalsPerSecond).toBeLessThanOrEqual(50 / 300);
  // nothing has ended, so nobody knows how long it takes
  expect(grows.slotsNeeded).toBeNull();
  expect(await stateOf('drains')).toMatchObject({ arrivalsPerSecond: 0, slotsNeeded: 0 });
});

test('without two samples nothing is said of what comes', async () => {
  await counted(2, 'mail', 600, 600, 0);
  expect(await stateOf('mail')).toMatchObject({ arrivalsPerSecond: null, slotsNeeded: null });
  await sampled(2, {});
  expect(await stateOf('mail')).toMatchObject({ arrivalsPerSecond: null, slotsNeeded: null });
});
