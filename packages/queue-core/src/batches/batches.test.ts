import type { PrismaClient } from '@duework/database';
import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { crashAt, drain, startTestWorker } from '@duework/testing';
import { emptyTables, untilItWaits, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { systemClock } from '../clock.js';
import { enqueue } from '../enqueue/enqueue.js';
import { jobRequest } from '../enqueue/job-request.js';
import { cancelJob } from '../queue/operate.js';
import { bury } from '../settle/outcome.js';
import { addUpBatches } from '../sql/batches/add-up-batches.js';
import { completeRuns } from '../sql/settle/complete-runs.js';
import { claimRuns } from '../sql/claim/claim-runs.js';
import { createPostgresStore } from '../store/postgres-store.js';
import type { Worker } from '../worker/create-worker.js';
import { addToBatch, cancelBatch, enqueueBatch, getBatch } from './enqueue-batch.js';

const database = useTestDatabase();
const part = defineJob({ type: 'part', payload: z.object({ n: z.int() }), retry: fixed('1ms'), lease: '2s' });
const whole = defineJob({ type: 'whole', payload: z.object({ told: z.string() }) });
const single = defineJob({
  type: 'single',
  payload: z.object({ n: z.int() }),
  unique: { by: 'n', onConflict: 'replace' },
});
const catalog = defineCatalog([part, whole, single]);
const CALLBACKS = Object.fromEntries(
  (['onSettled', 'onSucceeded', 'onFirstDead'] as const).map((told) => [told, jobRequest(whole, { told })]),
);
const parts = (count: number) => Array.from({ length: count }, (_, n) => jobRequest(part, { n }));

const workers: Worker[] = [];
beforeEach(() => emptyTables(database.db, 'job_runs, job_batches, job_batch_jobs'));
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** What was enqueued because of batches, and is not done yet. */
const told = async (): Promise<string[]> => {
  const runs = await database.db.jobRun.findMany({ where: { jobType: 'whole' }, orderBy: { id: 'asc' } });
  return runs.map(({ payload }) => (payload as { told: string }).told).toSorted();
};

const claimAll = async (): Promise<{ id: string; fence: number; result: null }[]> => {
  const contracts = new Map([['part', { ...part, leaseMs: 60_000 }]]);
  const { runs } = await claimRuns(database.db, { queue: 'default', contracts, worker: 'w', limit: 100 });
  return runs.map(({ id, fence }) => ({ id, fence, result: null }));
};

describe('the end of a batch', () => {
  test('is found once, by whoever comes last, where the last two jobs end in transactions that overlap', async () => {
    const { id } = await enqueueBatch(database.db, { jobs: parts(2), ...CALLBACKS });
    const [a, b] = await claimAll();
    const [one, other] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
    // neither sees the end that the other one has written
    await one.$transaction(async (first) => {
      await completeRuns(first, [a!]);
      await other.$transaction((second) => completeRuns(second, [b!]));
      expect(await addUpBatches(other, [id])).toEqual([]);
      expect(await told()).toEqual([]);
    });
    const answers = await Promise.all([addUpBatches(one, [id]), addUpBatches(other, [id])]);
    for (const busy of answers) expect([[], [id]]).toContainEqual(busy);
    expect(await told()).toEqual(['onSettled', 'onSucceeded']);
    expect(await getBatch(database.db, id)).toMatchObject({ jobs: 2, succeeded: 2, open: 0 });
  });

  test('is told to come again who has ended a job while another one adds up and does not see that', async () => {
    const { id } = await enqueueBatch(database.db, { jobs: parts(1), ...CALLBACKS });
    const [last] = await claimAll();
    const other = database.connect({ poolSize: 1 });
    await other.$transaction(async (adding) => {
      await addUpBatches(adding, [id]);
      await completeRuns(database.db, [last!]);
      expect(await addUpBatches(database.db, [id])).toEqual([id]);
    });
    expect(await addUpBatches(database.db, [id])).toEqual([]);
    expect(await told()).toEqual(['onSettled', 'onSucceeded']);
  });

  test('waits for jobs that an open transaction is about to add', async () => {
    const { id } = await enqueueBatch(database.db, { jobs: parts(1), ...CALLBACKS });
    await database.connect().$transaction(async (tx) => {
      await addToBatch(tx, id, [jobRequest(part, { n: 7 })]);
      await completeRuns(database.db, await claimAll());
      expect(await addUpBatches(database.db, [id])).toEqual([id]);
    });
    await addUpBatches(database.db, [id]);
    expect(await getBatch(database.db, id)).toMatchObject({ jobs: 2, open: 1, settledAt: null });
    await completeRuns(database.db, await claimAll());
    await addUpBatches(database.db, [id]);
    expect(await told()).toEqual(['onSettled', 'onSucceeded']);
  });

  test.each(['ReadCommitted', 'RepeatableRead'] as const)(
    'refuses jobs that are added while somebody is about to write it, in a transaction of level %s',
    async (isolationLevel) => {
      const { id } = await enqueueBatch(database.db, { jobs: parts(1), ...CALLBACKS });
      await completeRuns(database.db, await claimAll());
      const [ending, adding] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
      const begun = await ending.$transaction(async (tx) => {
        await addUpBatches(tx, [id]);
        const add = (client: PrismaClient) =>
          client.$transaction((other) => addToBatch(other, id, parts(1)), { isolationLevel });
        return untilItWaits(database.db, adding, add);
      });
      expect(begun.isWaiting).toBe(true);
      await expect(begun.answer).rejects.toMatchObject({
        code: isolationLevel === 'ReadCommitted' ? 'batch_settled' : 'P2010',
      });
      expect(await getBatch(database.db, id)).toMatchObject({ jobs: 1, open: 0, settledAt: expect.any(Date) });
      expect(await database.db.jobRun.count({ where: { jobType: 'part' } })).toBe(0);
    },
  );

  test('is found by another worker where the one that has ended the last job dies before it looks', async () => {
    const { id } = await enqueueBatch(database.db, { jobs: parts(1), ...CALLBACKS });
    const handlers = { part: () => {}, whole: () => {}, single: () => {} };
    const crash = crashAt('settle.committed', { store: createPostgresStore({ db: database.db }), clock: systemClock });
    const dying = await startTestWorker(database.db, { catalog, handlers, ...crash.options });
    await crash.reached;
    expect(await getBatch(database.db, id)).toMatchObject({ succeeded: 1, open: 0, settledAt: null });
    const { events, worker } = await startTestWorker(database.db, { catalog, handlers });
    workers.push(worker, dying.worker);
    const ends = new Set<string>();
    while (ends.size < 2) {
      await events.next();
      for (const event of events.all)
        if (event.name === 'job.succeeded' && event.run.type === 'whole') ends.add(event.run.id);
    }
    expect(Object.values((await getBatch(database.db, id)).callbacks).filter((job) => job !== null)).toHaveLength(2);
    crash.wake();
  });

  test('comes where an operator cancels the last job by itself', async () => {
    const { id, jobs } = await enqueueBatch(database.db, { jobs: parts(1), ...CALLBACKS });
    await cancelJob(database.db, jobs[0]!.id);
    const { worker, events } = await startTestWorker(database.db, {
      catalog,
      handlers: { part: () => {}, whole: () => {}, single: () => {} },
    });
    workers.push(worker);
    await drain(database.db, { events });
    expect(await getBatch(database.db, id)).toMatchObject({ cancelled: 1, callbacks: { onSucceeded: null } });
  });
});

test('a batch is part of the transaction in which it begins', async () => {
  let id = '';
  await expect(
    database.db.$transaction(async (tx) => {
      ({ id } = await enqueueBatch(tx, { jobs: parts(2), ...CALLBACKS }));
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await expect(getBatch(database.db, id)).rejects.toMatchObject({ code: 'batch_not_found' });
  expect(await database.db.jobRun.count()).toBe(0);
});

test('a transaction goes on after a batch has refused its jobs, and none of them was written', async () => {
  const { id } = await enqueueBatch(database.db, { jobs: [] });
  await database.db.$transaction(async (tx) => {
    await expect(addToBatch(tx, id, parts(2))).rejects.toMatchObject({ code: 'batch_settled' });
    await enqueue(tx, whole, { told: 'after' });
  });
  expect(await told()).toEqual(['after']);
  expect(await database.db.jobRun.count()).toBe(1);
});

test('a type of which one replaces another belongs to no batch', async () => {
  const expected = { code: 'invalid_option', facts: { option: 'jobs', value: 'single' } };
  await expect(enqueueBatch(database.db, { jobs: [jobRequest(single, { n: 1 })] })).rejects.toMatchObject(expected);
});

test('two workers run a hundred batches: each count is exact, and each callback comes once', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 100; n++) {
    const named = { told: String(n) };
    const onSettled = jobRequest(whole, named);
    ids.push(
      (
        await enqueueBatch(database.db, {
          jobs: parts(n % 7),
          onSettled,
          onSucceeded: onSettled,
          onFirstDead: onSettled,
        })
      ).id,
    );
  }
  const seen = new Map<string, number>();
  const handlers = {
    part: ({ payload: { n } }: { payload: { n: number } }) => (n === 5 ? bury('odd', 'five') : undefined),
    whole: ({ payload }: { payload: { told: string } }) =>
      void seen.set(payload.told, (seen.get(payload.told) ?? 0) + 1),
    single: () => {},
  };
  const [one, other] = [
    await startTestWorker(database.db, { catalog, handlers }),
    await startTestWorker(database.db, { catalog, handlers }),
  ];
  workers.push(one.worker, other.worker);
  // each batch of n jobs tells of two things: it has settled, and it has succeeded or had a dead job
  while (
    (await database.db.$queryRaw<unknown[]>`SELECT 1 FROM duework.live_jobs LIMIT 1`).length > 0 ||
    [...seen.values()].reduce((a, b) => a + b, 0) < 200
  )
    await Promise.race([one.events.next(), other.events.next()]);
  expect([...seen.values()].every((count) => count === 2)).toBe(true);
  expect(seen.size).toBe(100);
  for (const [n, id] of ids.entries()) {
    const dead = n % 7 === 6 ? 1 : 0;
    expect(await getBatch(database.db, id)).toMatchObject({ jobs: n % 7, dead, succeeded: (n % 7) - dead, open: 0 });
  }
});

test('cancelling a large batch leaves an entry in the audit for each part', async () => {
  const { id } = await enqueueBatch(database.db, { jobs: parts(1_500), ...CALLBACKS });
  expect(await cancelBatch(database.db, id, { by: 'ada', reason: 'wrong month' })).toEqual({
    cancelled: 1_500,
    requested: 0,
  });
  expect(await told()).toEqual(['onSettled']);
  const entries = await database.db.auditEntry.findMany({
    where: { kind: 'batch', target: id },
    orderBy: { id: 'asc' },
  });
  expect(entries.map(({ verb, by, after }) => [verb, by, after])).toEqual([
    ['cancel', 'ada', { cancelled: 1_000, requested: 0 }],
    ['cancel', 'ada', { cancelled: 500, requested: 0 }],
  ]);
});
