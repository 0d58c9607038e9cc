import { beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { enqueue, enqueueMany, jobRequest } from '../enqueue.js';
import { claimRuns } from '../sql/claim-runs.js';
import { completeRuns } from '../sql/complete-runs.js';
import { lookForLost } from '../sql/look-for-lost.js';
import { claim } from '../testing/internal/claim-one.js';
import { countBuffers } from '../testing/internal/count-buffers.js';
import { createStillClock } from '../testing/internal/create-still-clock.js';
import { pretendDuration } from '../testing/internal/pretend-duration.js';
import { echo } from '../testing/internal/test-contracts.js';
import { useTestDatabase } from '../testing/internal/use-test-database.js';
import { LostFront } from './lost-front.js';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs`;
});

/** A run whose lease has ended so long ago. */
async function addExpired(ago: string): Promise<void> {
  const { id } = await enqueue(database.db, echo, { n: 1 });
  await claim(database.db, 1);
  await database.db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - ${ago}::text::interval WHERE id = ${BigInt(id)}`;
}

test('while looks are quick each of them looks everywhere: a lease that has long ended is found at once', async () => {
  const front = new LostFront(pretendDuration(database.db, () => 5), createStillClock());
  expect((await front.look()).hasExpired).toBe(false);
  await addExpired('1 hour');
  expect((await front.look()).hasExpired).toBe(true);
});

test('where they are slow one that ends now is found at once, and one that came late by the next sweep', async () => {
  const clock = createStillClock();
  const front = new LostFront(pretendDuration(database.db, () => 110), clock);
  // one slow look alone would be a hiccup
  for (let looks = 0; looks < 2; looks++) expect((await front.look()).hasExpired).toBe(false);
  await addExpired('1 hour');
  expect((await front.look()).hasExpired).toBe(false);
  await addExpired('1 millisecond');
  expect((await front.look()).hasExpired).toBe(true);
  await database.db.$executeRaw`DELETE FROM duework.job_runs WHERE locked_until > now() - interval '1 minute'`;
  clock.pass(10_000);
  expect((await front.look()).hasExpired).toBe(true);
});

test('what was found stays in sight until it is gone', async () => {
  const front = new LostFront(pretendDuration(database.db, () => 110), createStillClock());
  await addExpired('1 hour');
  for (let looks = 0; looks < 3; looks++) expect((await front.look()).hasExpired).toBe(true);
});

test('the entries of a pinned horizon are not walked again', async () => {
  const pinning = new pg.Client({ connectionString: database.url });
  await pinning.connect();
  try {
    await pinning.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await pinning.query('SELECT count(*) FROM duework.job_runs');
    await enqueueMany(database.db, Array.from({ length: 5_000 }, (_, n) => jobRequest(echo, { n })));
    // a lease that ends while the test looks would be an entry to walk
    const { runs } = await claimRuns(database.db, { queue: 'default', leaseMsByType: new Map([[echo.type, 3_600_000]]), worker: 'w', limit: 5_000 });
    await database.db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 hour'`;
    await completeRuns(database.db, runs.map(({ id, fence }) => ({ id, fence, result: null })));
    const engine = database.connect({ role: 'engine', poolSize: 1 });
    const { nowSeconds } = await lookForLost(engine);
    const buffers = (sinceSeconds: number): Promise<number> => countBuffers(engine, (spy) => lookForLost(spy, sinceSeconds), { missing: [] });
    const [everywhere, behind] = [await buffers(-Infinity), await buffers(nowSeconds - 5)];
    // what both do beside is a few catalogs and the locks
    expect(everywhere - behind).toBeGreaterThan(100);
    expect(behind).toBeLessThan(100);
  } finally {
    await pinning.end();
  }
});
