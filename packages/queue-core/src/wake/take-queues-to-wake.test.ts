import { defineJob } from '@duework/contracts';
import { parseDatabaseUrl } from '@duework/database';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { heartbeatInThread } from '../leases/heartbeat-in-thread.js';
import { enqueue } from '../enqueue/enqueue.js';
import { retryJob } from '../queue/operate.js';
import { buryRuns } from '../sql/settle/bury-runs.js';
import { failRuns } from '../sql/settle/fail-runs.js';
import { releaseRuns } from '../sql/settle/release-runs.js';
import { rescueRuns } from '../sql/leases/rescue-runs.js';
import { snoozeRuns } from '../sql/settle/snooze-runs.js';
import type { RawClient } from '@duework/sql';
import type { ClaimedRun } from '../ports/runs.js';
import { parseHint, takeQueuesToWake } from './take-queues-to-wake.js';
import { claim, echo, emptyTables, testCatalog, useTestDatabase } from '@duework/testing/fixtures';
import { startTestWorker } from '@duework/testing';

/** The wake-ups that a queue sends one after the other before it counts them. */
const MOST_AT_ONCE = 10;

const database = useTestDatabase();
const another = useTestDatabase();
let listening: pg.Client;
let heard: string[];
beforeEach(async () => {
  heard = [];
  listening = new pg.Client({ connectionString: database.url });
  await listening.connect();
  listening.on('notification', ({ payload }) => heard.push(parseHint(payload!).queue!));
  await listening.query('LISTEN duework_wake');
});
afterEach(() => listening.end());

/** A job with a queue of its test's own, which was never notified before, so that its first run notifies. */
const inQueue = (queue: string) => defineJob({ type: 'echo', payload: z.object({ n: z.int() }), queue });

/** The queue of the next notification on that channel. */
const next = (client = listening): Promise<string> =>
  new Promise((resolve) => client.once('notification', ({ payload }) => resolve(parseHint(payload!).queue!)));

/** Notifications come in the order of the commits: when this one is received, all earlier ones have been. */
async function hearAll(): Promise<string[]> {
  while (heard.at(-1) !== 'end') {
    await database.db.$queryRaw`SELECT pg_notify('duework_wake', 'end')::text`;
    await listening.query('SELECT 1');
  }
  return heard.filter((payload) => payload !== 'end');
}

test('the workers of a queue are woken when a run is committed, with the queue’s name', async () => {
  const told = next();
  await database.db.$transaction(async (tx) => {
    await enqueue(tx, inQueue('committed'), { n: 1 });
    await listening.query('SELECT 1');
    expect(heard).toEqual([]);
  });
  expect(await told).toBe('committed');
});

test('a run that is rolled back wakes nobody', async () => {
  const rolledBack = database.db.$transaction(async (tx) => {
    await enqueue(tx, inQueue('rolled-back'), { n: 1 });
    throw new Error('the business write failed');
  });
  await expect(rolledBack).rejects.toThrow('the business write failed');
  expect(await hearAll()).toEqual([]);
});

test('many runs that are enqueued at once send a few notifications, never one per run', async () => {
  const startedMs = performance.now();
  let sentMs = 0;
  // a client of which nothing else is known than that it is one
  const watched: RawClient & { readonly $connect: () => void } = {
    $connect: () => {},
    $queryRaw: (query, ...values) => {
      sentMs = performance.now() - startedMs;
      return database.db.$queryRaw(query, ...values);
    },
  };
  await Promise.all(Array.from({ length: 500 }, (_, n) => enqueue(watched, echo, { n })));
  const told = await hearAll();
  expect(told.length).toBeGreaterThan(0);
  // what counts is when they were sent, which is in one turn of the event loop, however long they take
  expect(told.length).toBeLessThanOrEqual(sentMs + MOST_AT_ONCE);
});

test('never one notification per run, however fast they come', () => {
  // a statement that writes many runs notifies less often
  for (const { runs, gapMs } of [
    { runs: 1, gapMs: 1 },
    { runs: 20, gapMs: 2 },
  ]) {
    const batch = Array.from({ length: runs }, () => ({ queue: `fast-${runs}` }));
    const startedMs = performance.now();
    let told = 0;
    for (let n = 0; n < 100_000; n++) told += takeQueuesToWake(database.db, batch).hints.length;
    expect(told).toBeGreaterThan(0);
    // without the limit this machine would have to need minutes
    expect(told).toBeLessThanOrEqual((performance.now() - startedMs) / gapMs + MOST_AT_ONCE);
  }
});

test('a wake-up for one database never suppresses one for another', async () => {
  const elsewhere = new pg.Client({ connectionString: another.url });
  await elsewhere.connect();
  await elsewhere.query('LISTEN duework_wake');
  const ofBoth = inQueue('of-both');
  for (const [here, there] of [
    [database.db, another.db],
    [database.connectPg(), another.connectPg()],
  ] as const) {
    const told = Promise.all([next(), next(elsewhere)]);
    // both are asked in the same turn of the event loop
    await Promise.all([enqueue(here, ofBoth, { n: 1 }), enqueue(there, ofBoth, { n: 2 })]);
    // heard after what was told before it
    for (const client of [listening, elsewhere]) await client.query(`SELECT pg_notify('duework_wake', 'end')`);
    expect(await told).toEqual(['of-both', 'of-both']);
  }
  await elsewhere.end();
});

test('a client and its extensions share their notifications, and so do their transactions', async () => {
  const share = (...clients: unknown[]): void => {
    const startedMs = performance.now();
    let told = 0;
    for (let n = 0; n < 50_000; n++)
      for (const client of clients) told += takeQueuesToWake(client as RawClient, [{ queue: 'shared' }]).hints.length;
    expect(told).toBeLessThanOrEqual(performance.now() - startedMs + MOST_AT_ONCE);
  };
  const { db } = database;
  const extended = db.$extends({});
  share(db, extended);
  await db.$transaction(async (tx) => extended.$transaction(async (inner) => share(tx, inner)));
  const client = database.connectPg();
  // as long as the test may last: nothing is counted in seconds here
  const patient = { timeout: 60_000 };
  await client.$transaction(async (tx) => client.$transaction(async (inner) => share(tx, inner), patient), patient);
});

test('a run that exists already wakes nobody, and takes no other run’s notification', async () => {
  const keyed = inQueue('keyed');
  const options = { idempotencyKey: 'taken' };
  await enqueue(database.db, keyed, { n: 1 }, options);
  for (let n = 0; n < 10; n++) await enqueue(database.db, keyed, { n: 1 }, options);
  expect(await hearAll()).toEqual(['keyed']);
  for (let n = 0; n < 10; n++) {
    heard.length = 0;
    // in one turn of the event loop, so that the new run counts on the notification of the other
    await Promise.all([enqueue(database.db, keyed, { n: 1 }, options), enqueue(database.db, keyed, { n })]);
    expect(await hearAll()).toEqual(['keyed']);
  }
});

describe('a run that counts on the notification of another, which turns out to exist already', () => {
  /** Two statements, of which the second one counts on the first. */
  function takeTwo() {
    for (;;) {
      const queues = [{ queue: `late-${performance.now()}` }];
      for (let n = 1; n < MOST_AT_ONCE; n++) takeQueuesToWake(database.db, queues);
      const [first, second] = [takeQueuesToWake(database.db, queues), takeQueuesToWake(database.db, queues)];
      if (first.hints.length === 1 && second.hints.length === 0) return { first, second, queues: first.hints };
    }
  }

  test('is notified when it is answered last', () => {
    const { first, second, queues } = takeTwo();
    expect([first.end(false), second.end(true)]).toEqual([[], queues]);
  });

  test('is notified when the other is answered last', () => {
    const { first, second, queues } = takeTwo();
    expect([second.end(true), first.end(false)]).toEqual([[], queues]);
  });

  test('is not notified for nothing', () => {
    for (const [one, other] of [
      [false, false],
      [true, true],
      [true, false],
    ] as const) {
      const { first, second } = takeTwo();
      expect([first.end(one), second.end(other)]).toEqual([[], []]);
    }
  });
});

test('where jobs come one by one, every statement notifies, and wakes as many workers as it writes runs', async () => {
  const one = { queue: 'one-by-one' };
  expect(takeQueuesToWake(database.db, [one]).hints).toEqual(['one-by-one 1 now']);
  expect(takeQueuesToWake(database.db, [one, one, one]).hints).toEqual(['one-by-one 3 now']);
  expect(takeQueuesToWake(database.db, [one, { ...one, delayMs: 5 }]).hints).toEqual(['one-by-one 2 later']);
  await database.db.$transaction(async (tx) => {
    expect(takeQueuesToWake(tx, [one]).hints).toEqual(['one-by-one 1 now']);
    expect(takeQueuesToWake(tx, [one]).hints).toEqual(['one-by-one 2 now']);
  });
});

test('many runs, and the last statement before some are left out, wake everybody', () => {
  const queue = 'spike';
  expect(
    takeQueuesToWake(
      database.db,
      Array.from({ length: 10 }, () => ({ queue })),
    ).hints,
  ).toEqual([queue]);
  let last: readonly string[] = [];
  for (;;) {
    const { hints } = takeQueuesToWake(database.db, [{ queue }]);
    if (hints.length === 0) break;
    last = hints;
  }
  expect(last).toEqual([queue]);
});

test('through an unknown client each statement notifies', () => {
  const unknown: RawClient = { $queryRaw: () => Promise.reject(new Error('nobody asks')) };
  for (let n = 0; n < 3; n++) expect(takeQueuesToWake(unknown, [{ queue: 'unknown' }]).hints).toEqual(['unknown']);
});

test('a transaction that has not committed its notification yet suppresses no other', async () => {
  const waiting = inQueue('waiting');
  await database.connect({ poolSize: 1 }).$transaction(async (tx) => {
    await enqueue(tx, waiting, { n: 1 });
    await enqueue(database.db, waiting, { n: 2 });
    expect(await hearAll()).toEqual(['waiting']);
  });
});

test('a sleeping worker finds all runs of a burst, though it is notified of a few', async () => {
  const { worker, events } = await startTestWorker<typeof testCatalog>(database.db, {
    catalog: testCatalog,
    handlers: { echo: () => {}, charge: () => {} },
    pollIntervalMs: 3_600_000,
    leases: heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog: testCatalog }),
  });
  await emptyTables(database.db, 'job_runs');
  await Promise.all(Array.from({ length: 100 }, (_, n) => enqueue(database.db, echo, { n })));
  await events.waitFor('job.succeeded', 100);
  await worker.stop({ deadlineMs: 0 });
});

const error = { code: 'boom', error_type: 'Error', message: 'no', stack: null, abort_code: null, abort_stage: null };

test.each<[string, (run: ClaimedRun) => Promise<unknown>]>([
  ['failed, to be retried', ({ id, fence }) => failRuns(database.db, [{ id, fence, ...error, delay_ms: 60_000 }])],
  [
    'snoozed',
    ({ id, fence }) => snoozeRuns(database.db, [{ id, fence, delay_ms: 60_000, max_snoozes: 1, wakes_at: null }]),
  ],
  [
    'given back by a stopping worker',
    ({ id, fence }) => releaseRuns(database.db, [{ id, fence, reason: null, abort_code: null, abort_stage: null }]),
  ],
  [
    'rescued',
    async ({ id }) => {
      await database.db
        .$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 second' WHERE id = ${BigInt(id)}`;
      await rescueRuns(database.db, 10);
    },
  ],
  [
    'dead, and retried by an operator',
    async ({ id, fence }) => {
      await buryRuns(database.db, [{ id, fence, ...error }]);
      await retryJob(database.db, id);
    },
  ],
])('a run that is %s wakes the workers of its queue: another one may have a free slot', async (_, act) => {
  await emptyTables(database.db, 'job_runs');
  await enqueue(database.db, echo, { n: 1 });
  const [run] = await claim(database.db, 1);
  // the enqueue's own notification was sent
  await hearAll();
  heard.length = 0;
  await act(run!);
  expect(await hearAll()).toEqual(['default']);
});
