import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { connectPg, parseDatabaseUrl, type PgClient } from '@duework/database';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Worker } from '../worker/create-worker.js';
import type { WorkerOptions } from '../worker/worker-options.js';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import type { Handler } from '../run/handler.js';
import { GRACE_MS } from '../maintenance/absences.js';
import { cancelJob, getJob } from '../queue/operate.js';
import { lookForLost } from '../sql/upkeep/take-chores.js';
import { createPostgresStore } from '../store/postgres-store.js';
import { type EventRecord, startTestWorker } from '@duework/testing';
import { emptyTables, useOwnServer } from '@duework/testing/fixtures';
import { heartbeatInThread } from './heartbeat-in-thread.js';

const server = useOwnServer();
/** The lease is longer than any restart takes. */
const work = defineJob({
  type: 'work',
  payload: z.object({ n: z.int() }),
  retry: fixed('1ms'),
  lease: '20s',
  timeout: '5m',
});
const catalog = defineCatalog([work]);

const workers: Worker[] = [];
const clients: PgClient[] = [];
beforeEach(async () => {
  await emptyTables(server.db, 'job_runs');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  await Promise.all(clients.splice(0).map((client) => client.$disconnect()));
});

async function start(
  handler: Handler<typeof work>,
  { intervalMs, ...more }: { intervalMs?: number; concurrency?: number; buffer?: number } = {},
): Promise<EventRecord> {
  const db = connectPg({ url: server.url, poolSize: 4 });
  clients.push(db);
  const options: Pick<WorkerOptions<typeof catalog>, 'catalog' | 'handlers' | 'store' | 'leases'> = {
    catalog,
    handlers: { work: handler },
    store: createPostgresStore({ db }),
    leases: heartbeatInThread({
      ...parseDatabaseUrl(server.url),
      catalog,
      ...(intervalMs === undefined ? {} : { intervalMs }),
    }),
  };
  const { worker, events } = await startTestWorker<typeof catalog>(db, { ...options, ...more });
  workers.push(worker);
  return events;
}

async function lockedUntil(id: string): Promise<number> {
  return (await getJob(server.db, id)).job.lockedUntil!.getTime();
}

test('after a database restart the heartbeat renews again, and the job that was running ends as if nothing had happened', async () => {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const events = await start(() => finished);
  const { id } = await enqueue(server.db, work, { n: 1 });
  await events.waitFor('job.claimed');
  await server.restart();
  const until = await lockedUntil(id);
  while ((await lockedUntil(id)) === until);
  finish();
  await events.waitFor('job.succeeded');
  expect((await getJob(server.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1, fence: 1 });
  expect(events.named('lease.lost')).toEqual([]);
  expect(events.named('database.failed').map(({ during }) => during)).toContain('heartbeat');
  expect(events.named('database.recovered').map(({ during }) => during)).toContain('heartbeat');
});

test('after a database restart the heartbeat listens again', async () => {
  // no heartbeat is ever due: what is seen is seen through NOTIFY, or because a new connection asks at once
  const events = await start(
    async ({ signal }) => {
      throw await new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve(signal.reason), { once: true }),
      );
    },
    { intervalMs: 3_600_000 },
  );
  await enqueue(server.db, work, { n: 1 });
  await events.waitFor('job.claimed');
  await server.restart();
  for (let count = 1; (await events.waitFor('database.recovered', count)).at(-1)!.during !== 'heartbeat'; count++);
  const [claimed] = events.named('job.claimed');
  expect(await cancelJob(server.db, claimed!.run.id, { by: 'ada' })).toBe('requested');
  await events.waitFor('job.cancelled');
});

test('a database restart takes every worker’s lock, and no worker counts as vanished', async () => {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const jobs = await enqueueMany(server.db, [jobRequest(work, { n: 1 }), jobRequest(work, { n: 2 })]);
  const all = [
    await start(() => finished, { concurrency: 1, buffer: 0 }),
    await start(() => finished, { concurrency: 1, buffer: 0 }),
  ];
  for (const events of all) await events.waitFor('job.claimed');
  await server.restart();
  for (const events of all)
    for (let count = 1; (await events.waitFor('database.recovered', count)).at(-1)!.during !== 'heartbeat'; count++);
  // each worker checks the other for longer than the grace
  expect(await server.db.registeredWorker.count()).toBe(2);
  const recoveredMs = performance.now();
  while (performance.now() - recoveredMs < 2 * GRACE_MS)
    expect((await lookForLost(server.db)).lost!.missing).toEqual([]);
  finish();
  for (const events of all) {
    await events.waitFor('job.succeeded');
    expect(events.named('worker.vanished')).toEqual([]);
  }
  for (const { id } of jobs)
    expect((await getJob(server.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1, fence: 1 });
});

test('a worker survives a database restart and goes on by itself', async () => {
  const calls = new Map<number, number>();
  const events = await start(({ payload: { n } }) => void calls.set(n, (calls.get(n) ?? 0) + 1));
  const requests = (from: number) => Array.from({ length: 200 }, (_, n) => jobRequest(work, { n: from + n }));
  const before = await enqueueMany(server.db, requests(0));
  await events.waitFor('job.succeeded', 20);
  await server.restart();
  const after = await enqueueMany(server.db, requests(200));
  await events.waitFor('job.succeeded', 400);
  expect(calls.size).toBe(400);
  expect(new Set(calls.values())).toEqual(new Set([1]));
  const ids = [...before, ...after].map(({ id }) => BigInt(id));
  expect(await server.db.jobHistory.count({ where: { id: { in: ids }, status: 'succeeded' } })).toBe(400);
});
