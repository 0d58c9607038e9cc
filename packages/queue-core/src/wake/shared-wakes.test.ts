import { defineCatalog, defineJob } from '@duework/contracts';
import { parseDatabaseUrl } from '@duework/database';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import type { Worker } from '../worker/create-worker.js';
import { enqueue } from '../enqueue/enqueue.js';
import { joinListeners } from '../sql/wake/join-listeners.js';
import { statementText } from '@duework/sql';
import { systemClock } from '../clock.js';
import { createPostgresStore } from '../store/postgres-store.js';
import { heartbeatInThread } from '../leases/heartbeat-in-thread.js';

const quick = defineJob({ type: 'quick', payload: z.object({}) });
const slow = defineJob({ type: 'slow', payload: z.object({}) });
const newer: typeof quick = { ...quick, oldestVersion: 2, version: 2 };
const catalog = defineCatalog([quick, slow]);

const database = useTestDatabase();
const workers: Worker[] = [];
let claims = 0;
let succeeded = 0;
let tell = (): void => {};
const letGo: (() => void)[] = [];
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs`;
  claims = succeeded = 0;
});
afterEach(async () => {
  hasTimers = true;
  for (const go of letGo.splice(0)) go();
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** Once it is without timers, workers neither poll nor look whether others have claimed. */
let hasTimers = true;
const clock = {
  ...systemClock,
  after: (ms: number, callback: () => void) => (hasTimers ? systemClock.after(ms, callback) : () => {}),
};

/** Starts workers that nearly never poll. */
async function start(count: number, concurrency: number, known = catalog): Promise<void> {
  for (let n = 0; n < count; n++) {
    const store = createPostgresStore({ db: database.db });
    const { worker } = await startTestWorker<typeof catalog>(
      {
        store: {
          ...store,
          claim: (request) => {
            claims++;
            return store.claim(request);
          },
        },
      },
      {
        catalog: known,
        handlers: {
          quick: () => {
            succeeded++;
            tell();
          },
          slow: () => {
            tell();
            return new Promise<void>((resolve) => letGo.push(resolve));
          },
        },
        concurrency,
        clock,
        pollIntervalMs: 3_600_000,
        leases: heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog }),
      },
    );
    workers.push(worker);
  }
}

/** Enqueues a job, and resolves when its handler is called. */
async function runOne(job: typeof quick | typeof slow): Promise<void> {
  const isCalled = new Promise<void>((resolve) => (tell = resolve));
  await enqueue(database.db, job, {});
  await isCalled;
}

/** Resolves when the workers know each other, and have stopped polling often. */
async function untilTheyShare(mostClaims = 2): Promise<void> {
  for (let inARow = 0; inARow < 10; inARow++) {
    const before = claims;
    await runOne(quick);
    if (claims - before > mostClaims) inARow = -1;
  }
}

test('one wake-up makes one worker claim, while the others stay asleep', async () => {
  await start(5, 10);
  await untilTheyShare();
  hasTimers = false;
  const before = claims;
  for (let n = 0; n < 30; n++) await runOne(quick);
  // a claim that took a run may be followed by one more; and each worker had a poll and a look before it already
  expect(claims - before).toBeLessThanOrEqual(2 * (30 + 2 * 5));
});

test('a job is picked up at once while most workers, and so most of those that are chosen, are full', async () => {
  await start(4, 1);
  await untilTheyShare();
  for (let n = 0; n < 3; n++) await runOne(slow);
  for (let n = 0; n < 20; n++) await runOne(quick);
  expect(succeeded).toBeGreaterThanOrEqual(30);
});

test('a job is picked up although the worker that is chosen is dead and nobody knows', async () => {
  const ghost = new pg.Client({ connectionString: database.url });
  await ghost.connect();
  const { processID } = ghost as unknown as { processID: number };
  await ghost.query(
    statementText((db) => joinListeners(db, [], 0)),
    [['default quick 1-1,slow 1-1'], processID],
  );
  await start(2, 10);
  await untilTheyShare();
  for (let n = 0; n < 6; n++) await runOne(quick);
  await ghost.end();
});

test('a wake-up reaches a worker that can read the run’s version, however many others know only another one', async () => {
  await start(5, 10);
  await start(2, 10, defineCatalog([newer, slow]));
  // one of each version, and a spare of each
  await untilTheyShare(4);
  for (let n = 0; n < 20; n++) await runOne(newer);
  for (let n = 0; n < 20; n++) await runOne(quick);
});

test('a worker that stops is chosen no more, while its handlers end', async () => {
  await start(2, 10);
  await runOne(slow);
  const stopped = Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 60_000 })));
  for (let left = 1; left > 0;) {
    [{ left }] = await database.db.$queryRaw<[{ left: number }]>`
      SELECT count(*)::int AS left FROM pg_stat_activity
      WHERE application_name = 'duework wake-ups' AND datname = current_database()`;
  }
  for (const go of letGo.splice(0)) go();
  await stopped;
});
