import type { PrismaClient } from '@duework/database';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { enqueue, enqueueMany, jobRequest } from '../../enqueue/enqueue.js';
import { cancelJob, getJob } from '../../queue/operate.js';
import { claim, echo, emptyTables, untilItWaits, useTestDatabase } from '@duework/testing/fixtures';
import { completeRuns } from './complete-runs.js';
import { extendLeases } from '../leases/extend-leases.js';
import { failRuns } from './fail-runs.js';
import { rescueRuns } from '../leases/rescue-runs.js';

const database = useTestDatabase();

beforeEach(async () => {
  await emptyTables(database.db, 'job_runs');
});

const error = { code: 'boom', error_type: 'Error', message: 'no', stack: null, abort_code: null, abort_stage: null };
/** On another connection, while the test's own transaction is open. */
const beside = <T>(act: (other: PrismaClient) => Promise<T>) =>
  untilItWaits(database.db, database.connect({ poolSize: 1 }), act);
const expire = (id: string) =>
  database.db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 ms' WHERE id = ${BigInt(id)}`;

describe('a lease in a race', () => {
  test('lets a settlement and a heartbeat that race both find their row', async () => {
    const [left, right] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
    for (let n = 0; n < 200; n++) {
      const { id } = await enqueue(database.db, echo, { n });
      const [run] = await claim(database.db, 1);
      const [settled] = await Promise.all([
        completeRuns(left, [{ id, fence: run!.fence, result: null }]),
        extendLeases(right, [{ id, fence: run!.fence, leaseMs: 5_000, renew: 'now' }]),
      ]);
      expect(settled).toEqual([id]);
    }
  });

  test('a lease that is renewed while the rescue looks at it is left alone', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    const [run] = await claim(database.db, 1);
    await expire(id);
    const rescue = await database.db.$transaction(async (tx) => {
      await extendLeases(tx, [{ id, fence: run!.fence, leaseMs: 60_000, renew: 'now' }]);
      // its snapshot still shows the expired lease
      return beside((other) => rescueRuns(other, 10));
    });
    expect(await rescue.answer).toEqual([]);
    expect(rescue.isWaiting).toBe(false);
    expect(await rescueRuns(database.db, 10)).toEqual([]);
    expect((await getJob(database.db, id)).job.status).toBe('running');
  });
});

describe('a request to cancel in a race', () => {
  test('a settlement that waits for a request to cancel ends its run as cancelled', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    const [run] = await claim(database.db, 1);
    const failing = await database.db.$transaction(async (tx) => {
      await cancelJob(tx, id, { by: 'ada' });
      return beside((other) => failRuns(other, [{ id, fence: run!.fence, ...error, delay_ms: 1 }]));
    });
    await expect(failing.answer).resolves.toEqual([{ id, status: 'cancelled' }]);
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'cancelled', cancelRequestedBy: 'ada' });
  });

  test('a cancellation of a run that is claimed meanwhile asks its worker, and does not take the run away from it', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    const cancelling = await database.db.$transaction(async (tx) => {
      await claim(tx, 1);
      return beside((other) => cancelJob(other, id, { by: 'ada' }));
    });
    await expect(cancelling.answer).resolves.toBe('requested');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'running', cancelRequestedBy: 'ada' });
  });
});

describe('rescue', () => {
  test('gives back each run once when 20 workers rescue at the same time', async () => {
    await enqueueMany(
      database.db,
      Array.from({ length: 500 }, (_, n) => jobRequest(echo, { n })),
    );
    await claim(database.db, 500);
    await database.db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 s'`;
    const rescuers = Array.from({ length: 20 }, () => database.connect({ poolSize: 1 }));
    const rescued = (
      await Promise.all(rescuers.map(async (db) => [...(await rescueRuns(db, 100)), ...(await rescueRuns(db, 500))]))
    ).flat();
    rescued.push(...(await rescueRuns(database.db, 500)));
    expect(rescued).toHaveLength(500);
    expect(new Set(rescued.map((run) => run.id)).size).toBe(500);
    expect(
      await database.db.jobAttempt.count({
        where: { jobType: 'echo', runId: { in: rescued.map((run) => BigInt(run.id)) } },
      }),
    ).toBe(500);
  });
});
