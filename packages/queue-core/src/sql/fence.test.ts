import { beforeEach, describe, expect, test } from '@jest/globals';
import { enqueue, enqueueMany, jobRequest } from '../enqueue.js';
import { getJob } from '../operate.js';
import { createPostgresStore } from '../store/postgres-store.js';
import type { Settlement } from '../store/store.js';
import { claim } from '../testing/claim-one.js';
import { echo } from '../testing/test-contracts.js';
import { useTestDatabase } from '../testing/use-test-database.js';
import { completeRuns } from './complete-runs.js';
import { extendLeases } from './extend-leases.js';
import { rescueRuns } from './rescue-runs.js';

const database = useTestDatabase();
const error = { code: 'boom', type: 'Error', message: 'late', stack: null };

beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs`;
});

const expire = (id: string) => database.db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 ms' WHERE id = ${BigInt(id)}`;

/** A run whose lease passed from one worker to another: both believe that they have it. */
async function passLease(): Promise<{ id: string; oldFence: number; newFence: number }> {
  const { id } = await enqueue(database.db, echo, { n: 1 });
  const [first] = await claim(database.db, 1, 'slow');
  await expire(id);
  await rescueRuns(database.db, 10);
  const [second] = await claim(database.db, 1, 'fast');
  return { id, oldFence: first!.fence, newFence: second!.fence };
}

const LATE: readonly object[] = [
  { kind: 'complete', result: 'late' },
  { kind: 'fail', error, delayMs: 1, stop: null },
  { kind: 'bury', error, stop: null },
  { kind: 'snooze', delayMs: 1 },
  { kind: 'release', reason: 'late', stop: null },
  { kind: 'stop', by: null, reason: null, stop: null },
];

describe('the fence', () => {
  test.each(LATE)('a late settlement after the lease passed to another worker changes nothing: %j', async (late) => {
    const store = createPostgresStore({ db: database.db, heartbeatDb: database.db });
    const { id, oldFence, newFence } = await passLease();
    const before = await getJob(database.db, id);
    expect((await store.settle([{ id, fence: oldFence, ...late } as Settlement])).size).toBe(0);
    expect(await getJob(database.db, id)).toEqual(before);
    // the owner can
    expect((await store.settle([{ id, fence: newFence, kind: 'complete', result: 'in time' }])).get(id)).toBe('succeeded');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', result: 'in time', worker: 'fast', attempts: 2 });
  });

  test('a late heartbeat does not extend another worker’s lease', async () => {
    const { id, oldFence } = await passLease();
    const before = await getJob(database.db, id);
    expect(await extendLeases(database.db, [{ id, fence: oldFence, lease_ms: 60_000, is_due: true }])).toEqual([]);
    expect(await getJob(database.db, id)).toEqual(before);
  });

  test('one lost lease does not take its batch along', async () => {
    const { id, oldFence } = await passLease();
    await enqueueMany(database.db, [jobRequest(echo, { n: 2 }), jobRequest(echo, { n: 3 })]);
    const others = await claim(database.db, 10);
    const batch = [{ id, fence: oldFence, result: null }, ...others.map((run) => ({ id: run.id, fence: run.fence, result: null }))];
    expect((await completeRuns(database.db, batch)).map((row) => row.id).sort()).toEqual(others.map((run) => run.id).sort());
  });

  test('a settlement and a heartbeat of the same lease that race both find their row', async () => {
    const [left, right] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
    for (let n = 0; n < 200; n++) {
      const { id } = await enqueue(database.db, echo, { n });
      const [run] = await claim(database.db, 1);
      const [settled] = await Promise.all([
        completeRuns(left, [{ id, fence: run!.fence, result: null }]),
        extendLeases(right, [{ id, fence: run!.fence, lease_ms: 5_000, is_due: true }]),
      ]);
      expect(settled).toEqual([{ id }]);
    }
  });

  test('a lease that is renewed while the rescue looks at it is left alone', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    const [run] = await claim(database.db, 1);
    await expire(id);
    let rescued: Promise<unknown[]> | undefined;
    await database.db.$transaction(async (tx) => {
      await extendLeases(tx, [{ id, fence: run!.fence, lease_ms: 60_000, is_due: true }]);
      // its snapshot still shows the expired lease; the row is locked, so it is skipped
      rescued = rescueRuns(database.connect({ poolSize: 1 }), 10);
      expect(await rescued).toEqual([]);
    });
    expect(await rescueRuns(database.db, 10)).toEqual([]);
    expect((await getJob(database.db, id)).job.status).toBe('running');
  });
});

describe('rescue', () => {
  test('a run whose worker went away is due again, the attempt charged and on record', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    await claim(database.db, 1, 'gone');
    await expire(id);
    expect(await rescueRuns(database.db, 10)).toEqual([{ id, type: 'echo', worker: 'gone', attempt: 1, status: 'failed' }]);
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({ status: 'failed', attempts: 1, errorCode: 'worker_lost', worker: null, lockedUntil: null });
    expect(attempts).toMatchObject([{ attempt: 1, fence: 1, outcome: 'lost', worker: 'gone', errorCode: 'worker_lost' }]);
    expect(await claim(database.db, 1)).toMatchObject([{ id, attempt: 2, fence: 2 }]);
  });

  test('a run whose worker died maxAttempts times is dead, not eternal', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 }, { maxAttempts: 3 });
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await claim(database.db, 1)).toMatchObject([{ id, attempt }]);
      await expire(id);
      expect(await rescueRuns(database.db, 10)).toMatchObject([{ id, status: attempt < 3 ? 'failed' : 'dead' }]);
    }
    expect(await claim(database.db, 1)).toEqual([]);
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({ status: 'dead', errorCode: 'worker_lost', attempts: 3 });
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['lost', 'lost', 'lost']);
  });

  test('20 rescuers return each run once', async () => {
    await enqueueMany(database.db, Array.from({ length: 500 }, (_, n) => jobRequest(echo, { n })));
    await claim(database.db, 500);
    await database.db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 s'`;
    const rescuers = Array.from({ length: 20 }, () => database.connect({ poolSize: 1 }));
    const rescued = (await Promise.all(rescuers.map(async (db) => [...(await rescueRuns(db, 100)), ...(await rescueRuns(db, 500))]))).flat();
    rescued.push(...(await rescueRuns(database.db, 500)));
    expect(rescued).toHaveLength(500);
    expect(new Set(rescued.map((run) => run.id)).size).toBe(500);
    expect(await database.db.jobAttempt.count({ where: { jobType: 'echo', runId: { in: rescued.map((run) => BigInt(run.id)) } } })).toBe(500);
  });
});
