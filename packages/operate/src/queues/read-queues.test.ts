import { beforeEach, expect, test } from '@jest/globals';
import { useTestDatabase } from '@duework/testing/fixtures';
import { addJobs } from '../testing/add-jobs.js';
import { readQueues } from './read-queues.js';

const database = useTestDatabase();

beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.figures_minutes`;
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
