import { defineCatalog } from '@duework/contracts';
import { parseDatabaseUrl } from '@duework/database';
import { beforeEach, expect, test } from '@jest/globals';
import { brief, useWorkers, work } from '@duework/testing/fixtures';
import { enqueue, enqueueMany } from '../enqueue/enqueue.js';
import { jobRequest } from '../enqueue/job-request.js';
import { openQueue } from '../queue/open-queue.js';
import type { Heartbeat } from '../leases/heartbeat.js';
import { createPostgresStore } from '../store/postgres-store.js';
import { heartbeatInThread } from '../leases/heartbeat-in-thread.js';

const { database, start } = useWorkers();
beforeEach(async () => {
  await database.db.$executeRaw`DELETE FROM duework.pauses`;
});

/** Nearly never polls: without a wake-up, or a moment that it knows of, a worker sleeps. */
const pollIntervalMs = 3_600_000;
const listening = (): { pollIntervalMs: number; leases: Heartbeat } => ({
  pollIntervalMs,
  leases: heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog: defineCatalog([work, brief]) }),
});

test('a paused queue starts nothing on any worker, and within two seconds of its resume its runs start on all of them', async () => {
  const queue = openQueue(database.db);
  await queue.pauseQueue('default');
  await enqueueMany(
    database.db,
    Array.from({ length: 60 }, (_, n) => jobRequest(work, { n })),
  );
  const startedBy = [0, 0, 0];
  const startedMs: number[] = [];
  let isDone = (): void => {};
  const claims = [0, 0, 0];
  let hasClaimed = (): void => {};
  for (const index of startedBy.keys()) {
    const store = createPostgresStore({ db: database.db });
    await start(
      async () => {
        startedBy[index]!++;
        startedMs.push(performance.now());
        if (startedMs.length === 60) isDone();
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
      {
        ...listening(),
        concurrency: 2,
        store: {
          ...store,
          claim: async (request) => {
            const answer = await store.claim(request);
            claims[index]!++;
            hasClaimed();
            return answer;
          },
        },
      },
    );
  }
  while (claims.some((count) => count === 0)) await new Promise<void>((resolve) => (hasClaimed = resolve));
  expect(startedMs).toEqual([]);
  const done = new Promise<void>((resolve) => (isDone = resolve));
  const resumedMs = performance.now();
  await queue.resumeQueue('default');
  await done;
  expect(startedMs.at(-1)! - resumedMs).toBeLessThan(2_000);
  expect(startedBy.every((count) => count > 0)).toBe(true);
});

test('a worker that sleeps wakes when the pause of its queue ends by itself', async () => {
  const [{ until }] = (await database.db.$queryRaw`SELECT now() + interval '1 second' AS until`) as [{ until: Date }];
  await openQueue(database.db).pauseQueue('default', { until });
  await enqueue(database.db, work, { n: 1 });
  const { events } = await start(() => {}, { pollIntervalMs });
  const [claimed] = await events.waitFor('job.claimed');
  const claimedMs = claimed!.run.runAtMs + claimed!.run.waitedMs;
  expect(claimedMs).toBeGreaterThanOrEqual(until.getTime());
  expect(claimedMs).toBeLessThan(until.getTime() + 2_000);
});

test('while a type is paused the others go on, and its runs wait uncharged until it is resumed', async () => {
  const queue = openQueue(database.db);
  await queue.pauseType('work');
  const { id } = await enqueue(database.db, work, { n: 1 });
  const { events } = await start(() => {}, listening());
  await enqueue(database.db, brief, {});
  const [first] = await events.waitFor('job.succeeded');
  expect(first!.run.type).toBe('brief');
  expect((await queue.getJob(id)).job).toMatchObject({ status: 'queued', attempts: 0, fence: 0 });
  await queue.resumeType('work');
  const [, second] = await events.waitFor('job.succeeded', 2);
  expect(second!.run.id).toBe(id);
});
