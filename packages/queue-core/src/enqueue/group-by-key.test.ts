import { beforeEach, expect, test } from '@jest/globals';
import { jobRequest } from './enqueue.js';
import { openQueue } from '../queue/open-queue.js';
import type { Queryable } from '@duework/sql';
import { charge, echo, emptyTables, useTestDatabase } from '@duework/testing/fixtures';

const database = useTestDatabase();
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_keys');
});

/** A client that counts the statements that insert. */
function counting(): Queryable & { count: number } {
  const client = {
    count: 0,
    $connect: () => {},
    $queryRaw: (statement: { sql: string }) => {
      if (statement.sql.includes('duework.enqueue')) client.count++;
      return database.db.$queryRaw(statement as never);
    },
  };
  return client as never;
}

const payloads = async (): Promise<unknown[]> =>
  (await database.db.jobRun.findMany({ orderBy: { id: 'asc' } })).map((run) => run.payload);

test('calls that arrive together share a statement, and each gets its own run', async () => {
  const db = counting();
  const queue = openQueue(db);
  const jobs = await Promise.all(Array.from({ length: 20 }, (_, n) => queue.enqueue(echo, { n })));
  expect(db.count).toBe(1);
  expect(new Set(jobs.map((job) => job.id)).size).toBe(20);
  const found = await Promise.all(jobs.map(async ({ id }) => (await queue.getJob(id)).job.payload));
  expect(found).toEqual(Array.from({ length: 20 }, (_, n) => ({ n })));
});

test('calls that come one after the other have a statement each', async () => {
  const db = counting();
  const queue = openQueue(db);
  for (let n = 0; n < 3; n++) await queue.enqueue(echo, { n });
  expect(db.count).toBe(3);
});

test('a call that breaks its contract fails alone, before anything is sent', async () => {
  const queue = openQueue(database.db);
  const [good, bad] = await Promise.allSettled([
    queue.enqueue(echo, { n: 1 }),
    queue.enqueue(echo, { n: 'x' } as never),
  ]);
  expect(good.status).toBe('fulfilled');
  expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'invalid_payload' } });
});

test('a run that the database refuses fails alone', async () => {
  await database.db.$executeRaw`ALTER TABLE duework.job_runs ADD CONSTRAINT unlucky CHECK (payload ->> 'n' <> '13')`;
  const queue = openQueue(database.db);
  const settled = await Promise.allSettled([12, 13, 14].map((n) => queue.enqueue(echo, { n })));
  await database.db.$executeRaw`ALTER TABLE duework.job_runs DROP CONSTRAINT unlucky`;
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await payloads()).toEqual([{ n: 12 }, { n: 14 }]);
});

test('a call whose idempotency key another transaction is taking keeps nobody else waiting', async () => {
  const queue = openQueue(database.db);
  let waiting: Promise<unknown> = Promise.resolve();
  await database.connect({ poolSize: 1 }).$transaction(async (tx) => {
    const first = await openQueue(tx).enqueue(charge, { invoice: 1 });
    waiting = queue
      .enqueue(charge, { invoice: 1 })
      .then((job) => expect(job).toMatchObject({ id: first.id, isDeduplicated: true }));
    await Promise.all([queue.enqueue(echo, { n: 1 }), queue.enqueue(echo, { n: 2 })]);
  });
  await waiting;
  expect(await database.db.jobRun.count()).toBe(3);
});

/** A client whose statements wait until they are let go. */
function holding(): Queryable & { readonly begun: Promise<void>; letGo: () => void } {
  let letGo = (): void => {};
  let begin = (): void => {};
  const free = new Promise<void>((resolve) => (letGo = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  return {
    begun,
    letGo,
    $connect: () => {},
    $queryRaw: async (statement: never) => {
      begin();
      await free;
      return database.db.$queryRaw(statement);
    },
  } as never;
}

test('a process that enqueues through openQueue has a bound: the call beyond it is refused with queue_full', async () => {
  const db = holding();
  const queue = openQueue(db, { maxWaiting: 3 });
  const held: Promise<unknown>[] = [queue.enqueue(echo, { n: 1 }), queue.enqueue(charge, { invoice: 1 })];
  held.push(queue.enqueueMany([jobRequest(echo, { n: 2 })]));
  const beyond = [queue.enqueue(echo, { n: 3 }), queue.enqueueMany([jobRequest(echo, { n: 3 })])];
  const answers = Promise.allSettled(beyond);
  // what has found room is answered now; what was refused does not need it
  db.letGo();
  expect(await answers).toMatchObject([
    { status: 'rejected', reason: { code: 'queue_full', facts: { capacity: 3 } } },
    { status: 'rejected', reason: { code: 'queue_full' } },
  ]);
  await Promise.all(held);
  // the answered call has made room
  await queue.enqueue(echo, { n: 4 });
  expect(await payloads()).toHaveLength(4);
});

test('a process that enqueues through openQueue has a bound: with whenFull "wait" the call beyond it waits for its turn', async () => {
  const db = holding();
  const queue = openQueue(db, { maxWaiting: 1, whenFull: 'wait' });
  const calls = [1, 2, 3].map((n) => queue.enqueue(echo, { n }));
  await db.begun;
  db.letGo();
  await Promise.all(calls);
  expect(await payloads()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('a call whose signal aborts stops waiting for room or for its statement, and nothing of it is written', async () => {
  const db = holding();
  const queue = openQueue(db, { maxWaiting: 2, whenFull: 'wait' });
  const gone = new AbortController();
  const { signal } = gone;
  const first = queue.enqueue(echo, { n: 1 }, { signal });
  await db.begun;
  const second = queue.enqueue(echo, { n: 2 }, { signal });
  const third = queue.enqueue(echo, { n: 3 }, { signal });
  const fourth = queue.enqueue(echo, { n: 4 });
  gone.abort(new Error('the caller has gone'));
  await expect(second).rejects.toThrow('the caller has gone');
  await expect(third).rejects.toThrow('the caller has gone');
  await expect(queue.enqueue(echo, { n: 5 }, { signal })).rejects.toThrow('the caller has gone');
  db.letGo();
  // its statement was on its way: the answer decides
  await expect(first).resolves.toMatchObject({ status: 'queued' });
  await fourth;
  expect(await payloads()).toEqual([{ n: 1 }, { n: 4 }]);
});

test.each([{ maxWaiting: 0 }, { maxWaiting: 1.5 }, { maxWaiting: NaN }, { whenFull: 'drop' as never }])(
  'an invalid bound is refused: %p',
  (bound) => {
    expect(() => openQueue(database.db, bound)).toThrow(expect.objectContaining({ code: 'invalid_option' }));
  },
);

test('every call in a transaction is a statement of that transaction', async () => {
  const rolledBack = database.db.$transaction(async (tx) => {
    const queue = openQueue(tx);
    await queue.enqueue(echo, { n: 1 });
    await queue.enqueue(echo, { n: 2 });
    throw new Error('the business write failed');
  });
  await expect(rolledBack).rejects.toThrow('the business write failed');
  expect(await payloads()).toEqual([]);
});
