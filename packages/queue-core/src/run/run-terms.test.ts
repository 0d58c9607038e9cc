import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { type EventRecord, startTestWorker } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { expireRuns } from '../sql/upkeep/expire-runs.js';
import type { Worker } from '../worker/create-worker.js';
import type { WorkerOptions } from '../worker/worker-options.js';
import type { Handler } from './handler.js';

const database = useTestDatabase();
const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  await emptyTables(database.db, 'job_runs, job_keys, expiries');
});

const fresh = defineJob({ type: 'fresh', payload: z.object({ n: z.int() }), expiresAfter: '1s' });
const call = defineJob({ type: 'call', payload: z.object({}), retry: fixed('100ms'), retryFor: '400ms' });
const catalog = defineCatalog([fresh, call]);

async function start(
  handlers: { fresh?: Handler<typeof fresh>; call?: Handler<typeof call> },
  more: Partial<WorkerOptions<typeof catalog>> = {},
): Promise<{ worker: Worker; events: EventRecord }> {
  const started = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { fresh: () => {}, call: () => {}, ...handlers },
    ...more,
  });
  workers.push(started.worker);
  return started;
}

/** Resolves when the database's clock has passed a moment. */
async function untilPast(moment: Date): Promise<void> {
  for (let isPast = false; !isPast;) {
    const [row] = await database.db.$queryRaw<{ past: boolean }[]>`
      SELECT now() > ${moment.toISOString()}::text::timestamptz AS past`;
    isPast = row!.past;
  }
}

describe('a job that expires', () => {
  test.each(['claim.committed', 'handler.before'] as const)(
    'is not started once its time is over, although it was claimed in time, and frees its slot: %s',
    async (late) => {
      const started: number[] = [];
      const { worker, events } = await start(
        { fresh: ({ payload }) => void started.push(payload.n) },
        {
          concurrency: 1,
          // between its claim and its start
          crashHook: async (point, { id, type }) => {
            if (point === late && type === 'fresh') await untilPast((await getJob(database.db, id)).job.expiresAt!);
          },
        },
      );
      const { id } = await enqueue(database.db, fresh, { n: 1 });
      expect(await events.waitFor('job.released')).toMatchObject([{ run: { id }, reason: null }]);
      // the worker's own chore, or this one
      await expireRuns(database.db, 100);
      expect((await getJob(database.db, id)).job).toMatchObject({ status: 'cancelled', errorCode: 'expired' });
      expect(started).toEqual([]);
      expect(worker.activity().running).toBe(0);
      await enqueue(database.db, call, {});
      await events.waitFor('job.succeeded');
    },
  );

  test('is not started in a call with others either', async () => {
    const gathered = defineJob({
      type: 'gathered',
      payload: z.object({ n: z.int() }),
      expiresAfter: '1s',
      collect: { max: 2, wait: '1m' },
    });
    const calls: number[][] = [];
    const { worker, events } = await startTestWorker(database.db, {
      catalog: defineCatalog([gathered]),
      handlers: { gathered: (jobs) => void calls.push(jobs.map(({ payload }) => payload.n)) },
      concurrency: 1,
    });
    workers.push(worker);
    const { id } = await enqueue(database.db, gathered, { n: 1 });
    await events.waitFor('job.claimed');
    await untilPast((await getJob(database.db, id)).job.expiresAt!);
    await enqueue(database.db, gathered, { n: 2 });
    expect(await events.waitFor('job.released')).toMatchObject([{ run: { id }, reason: null }]);
    await events.waitFor('job.succeeded');
    expect(calls).toEqual([[2]]);
  });

  test('that nobody claims is cancelled by any worker, and told as an event', async () => {
    const nobody = defineJob({ type: 'nobody', payload: z.object({}), expiresAfter: '1ms' });
    const { id } = await enqueue(database.db, nobody, {});
    const { events } = await start({});
    expect(await events.waitFor('run.expired')).toMatchObject([{ expired: { id, type: 'nobody' } }]);
  });

  test('is cancelled by one of many workers, once', async () => {
    const brief = defineJob({ type: 'nobody', payload: z.object({ n: z.int() }), expiresAfter: '1ms' });
    for (let n = 0; n < 40; n++) await enqueue(database.db, brief, { n });
    const clients = [1, 2, 3].map(() => database.connect({ poolSize: 1 }));
    const found: string[] = [];
    while (found.length < 40)
      for (const { expired } of await Promise.all(clients.map((client) => expireRuns(client, 7))))
        found.push(...expired.map(({ id }) => id));
    expect(new Set(found).size).toBe(40);
    expect(await database.db.jobRun.count()).toBe(0);
    expect(await database.db.expiry.count()).toBe(0);
  });

  test('that was enqueued in SQL has the time of its contract', async () => {
    await registerDefinitions(database.db, catalog);
    const [{ id }] = (await database.db.$queryRaw<[{ id: string }]>`
      SELECT id::text AS id FROM duework.enqueue('fresh', '{"n": 1}')`) as [{ id: string }];
    const { job } = await getJob(database.db, id);
    expect(job.expiresAt!.getTime() - job.runAt.getTime()).toBe(1_000);
    expect(await database.db.expiry.count()).toBe(1);
  });

  test('costs one that does not expire no row', async () => {
    await enqueue(database.db, call, {});
    expect(await database.db.expiry.count()).toBe(0);
  });
});

test('a job whose next retry would begin after its time is dead, with the error of its last attempt', async () => {
  const { events } = await start({
    call: () => Promise.reject(Object.assign(new Error('no answer'), { code: 'ECONNREFUSED' })),
  });
  const { id } = await enqueue(database.db, call, {});
  await events.waitFor('job.dead');
  const { job } = await getJob(database.db, id);
  expect(job).toMatchObject({
    status: 'dead',
    errorCode: 'retry_budget_exhausted',
    lastError: expect.stringMatching(/ECONNREFUSED: no answer$/),
  });
  expect(job.attempts).toBeLessThan(job.maxAttempts);
});
