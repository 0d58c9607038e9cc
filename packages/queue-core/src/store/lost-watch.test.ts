import { beforeEach, expect, test } from '@jest/globals';
import { enqueue } from '../enqueue/enqueue.js';
import { registerWorker } from '../sql/workers/register-worker.js';
import { claim, createStillClock, echo, pretendDuration, useTestDatabase } from '@duework/testing/fixtures';
import { LostWatch } from './lost-watch.js';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.workers`;
});

/** A run whose lease has ended. */
async function addExpired(): Promise<void> {
  const { id } = await enqueue(database.db, echo, { n: 1 });
  await claim(database.db, 1);
  await database.db
    .$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 second' WHERE id = ${BigInt(id)}`;
}

const isFound = async (watch: LostWatch): Promise<boolean> => (await watch.look()).hasExpired;

/** Makes two slow scans, because a single one counts as a hiccup. */
async function makeSlow(watch: LostWatch): Promise<LostWatch> {
  for (let looks = 0; looks < 2; looks++) expect(await isFound(watch)).toBe(false);
  return watch;
}

test('while looks are quick a lease that has ended is found at once', async () => {
  const watch = new LostWatch(
    pretendDuration(database.db, () => 5),
    createStillClock(),
  );
  for (let looks = 0; looks < 3; looks++) expect(await isFound(watch)).toBe(false);
  await addExpired();
  expect(await isFound(watch)).toBe(true);
});

test('one that is found behind thousands that nobody takes is looked at until it is gone', async () => {
  const watch = new LostWatch(database.db, createStillClock());
  await database.db.$executeRaw`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'default', 'echo', 1, 5, now() - interval '1 min', '{"n":1}', 10 FROM generate_series(1, 3000)`;
  await database.db.$executeRaw`
    UPDATE duework.job_runs
    SET status = 'running', attempts = 1, fence = 1, locked_by = 'ada', locked_until = now() - interval '1 second', claimed_at = now()
    WHERE id = (SELECT max(id) FROM duework.job_runs)`;
  for (let looks = 0; looks < 3; looks++) expect(await isFound(watch)).toBe(true);
  await database.db
    .$executeRaw`UPDATE duework.job_runs SET locked_until = now() + interval '1 min' WHERE status = 'running'`;
  expect(await isFound(watch)).toBe(false);
});

test('where they are slow it is found a little later, and what was found is looked at until it is gone', async () => {
  const clock = createStillClock();
  const watch = await makeSlow(
    new LostWatch(
      pretendDuration(database.db, () => 110),
      clock,
    ),
  );
  await addExpired();
  expect(await isFound(watch)).toBe(false);
  clock.pass(10_000);
  for (let looks = 0; looks < 3; looks++) expect(await isFound(watch)).toBe(true);
});

test('where ten workers look, each looks a tenth as often', async () => {
  const clock = createStillClock();
  await database.db.$executeRaw`INSERT INTO duework.workers (name) SELECT 'w' || n FROM generate_series(1, 10) AS n`;
  const watch = new LostWatch(
    pretendDuration(database.db, () => 25),
    clock,
  );
  for (let looks = 0; looks < 2; looks++) expect(await isFound(watch)).toBe(false);
  await addExpired();
  clock.pass(19_000);
  expect(await isFound(watch)).toBe(false);
  clock.pass(1_000);
  expect(await isFound(watch)).toBe(true);
});

test('while full scans are very slow, an expired lease is found within a minute', async () => {
  const clock = createStillClock();
  const watch = await makeSlow(
    new LostWatch(
      pretendDuration(database.db, () => 100_000),
      clock,
    ),
  );
  await addExpired();
  clock.pass(59_000);
  expect(await isFound(watch)).toBe(false);
  clock.pass(1_000);
  expect(await isFound(watch)).toBe(true);
});

test('while full scans are slow, a vanished worker is still found at once', async () => {
  const watch = await makeSlow(
    new LostWatch(
      pretendDuration(database.db, () => 110),
      createStillClock(),
    ),
  );
  const session = database.connect({ poolSize: 1 });
  const [{ pid }] = await session.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
  await registerWorker(session, 'ada', pid);
  expect((await watch.look()).missing).toEqual([]);
  await session.$disconnect();
  while ((await watch.look()).missing.length === 0);
  expect((await watch.look()).missing).toEqual(['ada']);
});
