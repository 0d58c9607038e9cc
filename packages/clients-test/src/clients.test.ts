import { defineJob } from '@duework/contracts';
import {
  cancelJob,
  createPostgresStore,
  enqueue,
  enqueueMany,
  findJobs,
  getJob,
  jobRequest,
  openQueue,
  type Queryable,
  retryJob,
} from '@duework/queue-core';
import { inTransaction } from '@duework/sql';
import { startTestWorker } from '@duework/testing';
import { charge, echo, useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { CLIENTS } from './list-clients.js';
import type { OpenedClient } from './opened-client.js';

const database = useTestDatabase();
const named = defineJob({ type: 'named', payload: z.object({ nested_name: z.object({ other_name: z.string() }) }) });

const rows = async (): Promise<{ jobs: number; orders: number }> => {
  const [found] = await database.db.$queryRaw<[{ jobs: number; orders: number }]>`
    SELECT (SELECT count(*) FROM duework.job_runs)::int AS jobs, (SELECT count(*) FROM orders)::int AS orders`;
  return found;
};

beforeAll(() => database.db.$executeRaw`CREATE TABLE orders (id int PRIMARY KEY)`);
beforeEach(async () => {
  await database.db
    .$executeRaw`WITH runs AS (DELETE FROM duework.job_runs), keys AS (DELETE FROM duework.job_keys) DELETE FROM orders`;
});

describe.each(CLIENTS)('%s', (name, open) => {
  let opened: OpenedClient;
  beforeAll(async () => {
    opened = await open(database.url);
  });
  afterAll(() => opened.close());

  test('a committed transaction leaves its row and one job', async () => {
    await opened.transact(async (tx, writeRow) => {
      await writeRow(1);
      await enqueue(tx, charge, { invoice: 1 });
      // not before the commit
      expect(await rows()).toEqual({ jobs: 0, orders: 0 });
    });
    expect(await rows()).toEqual({ jobs: 1, orders: 1 });
  });

  test('a transaction that is rolled back leaves neither, and its key is free', async () => {
    const refused = opened.transact(async (tx, writeRow) => {
      await writeRow(1);
      await enqueue(tx, charge, { invoice: 1 });
      await enqueueMany(tx, [jobRequest(echo, { n: 1 }), jobRequest(charge, { invoice: 2 })]);
      throw new Error('the order was refused');
    });
    await expect(refused).rejects.toThrow('the order was refused');
    expect(await rows()).toEqual({ jobs: 0, orders: 0 });
    expect(await enqueue(opened.client, charge, { invoice: 1 })).toMatchObject({ isDeduplicated: false });
  });

  test('a key that was taken in the transaction, or before it, returns the job that has it', async () => {
    const before = await enqueue(opened.client, charge, { invoice: 1 });
    const [again, first, second] = await opened.transact(async (tx) => [
      await enqueue(tx, charge, { invoice: 1 }),
      await enqueue(tx, charge, { invoice: 2 }),
      await enqueue(tx, charge, { invoice: 2 }),
    ]);
    expect(again).toEqual({ ...before, isDeduplicated: true });
    expect(second).toEqual({ ...first, isDeduplicated: true });
  });

  test('a refused payload leaves the transaction usable', async () => {
    await opened.transact(async (tx, writeRow) => {
      await expect(enqueue(tx, echo, {} as never)).rejects.toMatchObject({ code: 'invalid_payload' });
      await writeRow(1);
      await enqueue(tx, echo, { n: 1 });
    });
    expect(await rows()).toEqual({ jobs: 1, orders: 1 });
  });

  const verbs = async (db: Queryable): Promise<void> => {
    const runAt = new Date('2031-03-30T01:30:00.123Z');
    const { id } = await enqueue(db, charge, { invoice: 7 }, { runAt, priority: 3 });
    const many = await enqueueMany(db, [jobRequest(echo, { n: 1 }, { delay: '1h' }), jobRequest(echo, { n: 2 })]);
    expect((await getJob(db, id)).job).toMatchObject({
      payload: { invoice: 7 },
      runAt,
      status: 'queued',
      priority: 3,
      attempts: 0,
      fence: 0,
      createdAt: expect.any(Date),
    });
    const listed = await findJobs(db, { type: 'echo', status: 'queued' });
    expect(listed.jobs.map((job) => job.id)).toEqual(many.map((job) => job.id).reverse());
    expect(await cancelJob(db, id, { by: 'Ada "A."', reason: "it's a test? \\ $1" })).toBe('cancelled');
    expect((await getJob(db, id)).job).toMatchObject({
      cancelRequestedBy: 'Ada "A."',
      cancelReason: "it's a test? \\ $1",
      finishedAt: expect.any(Date),
    });
    await retryJob(db, id);
    expect((await getJob(db, id)).job).toMatchObject({ status: 'queued', finishedAt: null });
    await expect(getJob(db, '4711')).rejects.toMatchObject({ code: 'job_not_found' });
  };
  test('every verb answers the same through the client', () => verbs(opened.client));
  test('every verb answers the same in a transaction', () => opened.transact(verbs));

  test('payloads keep their names and their values', async () => {
    const payload = { nested_name: { other_name: "it's 7 \\ ? $1 “ü” 🚀" } };
    const { id } = await opened.transact((tx) => enqueue(tx, named, payload));
    expect((await getJob(opened.client, id)).job.payload).toEqual(payload);
    expect((await getJob(database.db, id)).job.payload).toEqual(payload);
  });

  test('a transaction that has ended takes no job: it is refused, or the library refuses', async () => {
    let ended: Queryable | undefined;
    await opened.transact(async (tx) => {
      ended = tx;
      await enqueue(tx, echo, { n: 1 });
    });
    const late = enqueue(ended!, echo, { n: 2 });
    // a client of pg that is passed as it is claims nothing
    if (name === 'pg, as it is') await late;
    else await expect(late).rejects.toThrow(/transaction/i);
    expect((await rows()).jobs).toBe(name === 'pg, as it is' ? 2 : 1);
  });

  test('an enqueue that nobody awaited leaves no job behind a rollback', async () => {
    let forgotten: Promise<unknown> | undefined;
    const refused = opened.transact(async (tx, writeRow) => {
      await writeRow(1);
      forgotten = enqueue(tx, echo, { n: 1 });
      forgotten.catch(() => {});
      throw new Error('the order was refused');
    });
    await expect(refused).rejects.toThrow('the order was refused');
    await forgotten!.catch(() => {});
    expect(await rows()).toEqual({ jobs: 0, orders: 0 });
  });

  test('openQueue takes the client', async () => {
    const queue = openQueue(opened.client);
    const jobs = await Promise.all([1, 2, 3].map((n) => queue.enqueue(echo, { n })));
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(3);
    expect((await queue.getJob(jobs[0]!.id)).job.payload).toEqual({ n: 1 });
  });

  test('several statements of one verb commit together, or none', async () => {
    const both = inTransaction(opened.client, async (tx) => {
      await enqueue(tx, echo, { n: 1 });
      throw new Error('the second one was refused');
    });
    await expect(both).rejects.toThrow('the second one was refused');
    expect((await rows()).jobs).toBe(0);
    await inTransaction(opened.client, (tx) => enqueue(tx, echo, { n: 1 }));
    expect((await rows()).jobs).toBe(1);
  });

  test('a handler completes its job in the transaction', async () => {
    const { events, worker } = await startTestWorker(
      { store: createPostgresStore({ db: database.db }) },
      {
        catalog: [echo],
        handlers: {
          echo: ({ completeIn, attempt }) =>
            opened.transact(async (tx, writeRow) => {
              await writeRow(attempt);
              await completeIn(tx, null);
              if (attempt === 1) throw new Error('rolled back');
            }),
        },
      },
    );
    const { id } = await enqueue(opened.client, echo, { n: 1 });
    await events.waitFor('job.succeeded');
    await worker.stop({ deadlineMs: 5_000 });
    expect((await getJob(opened.client, id)).job).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect((await rows()).orders).toBe(1);
  });
});
