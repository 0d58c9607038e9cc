import { hostname } from 'node:os';
import { enqueue } from '@duework/queue-core';
import { emptyTables, gate, useWorkers, work } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { explainJob } from '../explain/explain-job.js';
import { readUnserved } from '../unserved/read-unserved.js';
import { type LiveWorker, readWorkers } from './read-workers.js';

const { database, start } = useWorkers();
beforeEach(async () => {
  await emptyTables(database.db, 'worker_contracts, past_workers, job_runs, workers');
});

async function untilThere(count: number): Promise<LiveWorker[]> {
  for (;;) {
    const workers = await readWorkers(database.db);
    if (workers.length === count) return workers;
  }
}

test('a live worker says where it runs, which code, what it can run, and what it runs now', async () => {
  const held = gate();
  const { events } = await start(() => held.promise, { name: 'w1', codeVersion: 'v1.2.3', concurrency: 3 });
  await start(() => {}, { name: 'w2', queues: ['elsewhere'] });
  const { id } = await enqueue(database.db, work, { n: 1 });
  await events.waitFor('job.claimed');
  const [one, two] = await untilThere(2);
  held.open();
  // a busy machine may keep it from claiming
  expect({ ...one, shutBy: null, state: 'claims' }).toEqual({
    name: 'w1',
    host: hostname(),
    pid: process.pid,
    codeVersion: 'v1.2.3',
    startedAt: expect.any(Date),
    seenAt: expect.any(Date),
    queues: ['default'],
    types: [
      { type: 'brief', oldestVersion: 1, version: 1 },
      { type: 'work', oldestVersion: 1, version: 1 },
    ],
    slots: 3,
    declaredSlots: 3,
    changedSlots: [],
    running: expect.any(Number),
    buffered: 0,
    loopDelayMs: expect.any(Number),
    shutBy: null,
    held: 1,
    runs: [
      { id, type: 'work', queue: 'default', attempt: 1, claimedAt: expect.any(Date), lockedUntil: expect.any(Date) },
    ],
    isAtLeast: false,
    state: 'claims',
    stalledMs: null,
  });
  expect(two).toMatchObject({ name: 'w2', codeVersion: null, queues: ['elsewhere'], held: 0, runs: [] });
});

test('a worker that has stopped is no longer among them, and is kept as one of the past', async () => {
  const { worker } = await start(() => {}, { name: 'gone' });
  await untilThere(1);
  await worker.stop({ deadlineMs: 0 });
  expect(await readWorkers(database.db)).toEqual([]);
  expect(await database.db.pastWorker.findMany()).toMatchObject([{ worker: 'gone', queues: ['default'] }]);
});

test('a worker whose session has ended is lost at once, and what it alone could run is unserved', async () => {
  const { db } = database;
  // both were seen just now; one is registered and nobody holds its lock, and one is known by that alone
  await db.$executeRaw`INSERT INTO duework.workers (name) VALUES ('lost')`;
  await db.$executeRaw`
    INSERT INTO duework.worker_contracts (worker, queues, contracts)
    VALUES ('lost', '{default}', '{"work": [1, 1]}'), ('pooled', '{elsewhere}', '{"work": [1, 1]}')`;
  const { id } = await enqueue(db, work, { n: 1 });
  expect((await readWorkers(db)).map(({ name, state }) => [name, state])).toEqual([
    ['lost', 'lost'],
    ['pooled', 'claims'],
  ]);
  expect(await readUnserved(db)).toMatchObject([
    { queue: 'default', type: 'work', waiting: 1, missing: 'queue', lastWorker: 'lost', lastSeenAt: expect.any(Date) },
  ]);
  const { code, further } = await explainJob(db, id);
  expect([code, ...further.map((reason) => reason.code)]).toContain('no_worker');
});

test('a worker that has renewed nothing for half of its leases is stalled, and one that renews or has just claimed is not', async () => {
  const { db } = database;
  const one = await start(() => gate().promise, { name: 'known' });
  await one.worker.stop({ deadlineMs: 0 });
  await db.$executeRaw`
    INSERT INTO duework.worker_contracts (worker, queues, contracts, shut_by, seen_at, started_at)
    SELECT name, '{default}', '{"work": [1, 1]}', shut, now() - interval '20 seconds', now() - interval '1 hour'
    FROM (VALUES ('busy', 'event_loop'), ('frozen', NULL), ('lags', 'event_loop'), ('new', 'event_loop')) AS w (name, shut)`;
  await db.$executeRaw`UPDATE duework.worker_contracts SET started_at = seen_at - interval '1 second' WHERE worker = 'new'`;
  await db.$executeRaw`UPDATE duework.job_definitions SET lease_ms = 600000 WHERE type = 'work'`;
  const left: readonly [string, number, number][] = [
    ['busy', 590, 5],
    ['busy', 40, 900],
    ['frozen', 280, 500],
    ['frozen', 200, 700],
    ['lags', 550, 900],
  ];
  for (const [worker, seconds, age] of left) {
    const { id } = await enqueue(db, work, { n: 1 });
    await db.$executeRaw`
      UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = ${worker},
        locked_until = now() + ${seconds}::integer * interval '1 second',
        claimed_at = now() - ${age}::integer * interval '1 second'
      WHERE id = ${BigInt(id)}`;
  }
  expect((await readWorkers(db)).map(({ name, state, stalledMs }) => [name, state, stalledMs !== null])).toEqual([
    ['busy', 'claims', false],
    ['frozen', 'stalled', true],
    ['lags', 'shut', false],
    ['new', 'claims', false],
  ]);
});

test('a worker without a job whose session sends nothing for 15 s is stalled, until it sends something', async () => {
  const { db } = database;
  const session = new pg.Client(database.url);
  await session.connect();
  await session.query(`SELECT pg_advisory_lock_shared(hashtext('duework.workers'), hashtext('idle'))`);
  await db.$executeRaw`INSERT INTO duework.workers (name) VALUES ('idle')`;
  await db.$executeRaw`
    INSERT INTO duework.worker_contracts (worker, queues, contracts) VALUES ('idle', '{default}', '{"work": [1, 1]}')`;
  const startedMs = performance.now();
  const untilIs = async (wanted: string): Promise<LiveWorker> => {
    for (;;) {
      const [worker] = await readWorkers(db);
      if (worker!.state === wanted) return worker!;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  expect((await readWorkers(db)).map(({ state }) => state)).toEqual(['claims']);
  expect(await untilIs('stalled')).toMatchObject({ held: 0, stalledMs: expect.any(Number) });
  expect(performance.now() - startedMs).toBeGreaterThan(14_000);
  await session.query('SELECT');
  await untilIs('claims');
  await session.end();
}, 40_000);
