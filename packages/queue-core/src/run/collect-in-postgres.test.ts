import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { parseDatabaseUrl } from '@duework/database';
import { startTestWorker } from '@duework/testing';
import { emptyTables, gate, programPath, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { heartbeatInThread } from '../leases/heartbeat-in-thread.js';
import { getJob } from '../queue/operate.js';
import type { Worker } from '../worker/create-worker.js';
import type { CollectHandler } from './handler.js';
import { complete, retry } from '../settle/outcome.js';

const database = useTestDatabase();
const payload = z.object({ n: z.int() });
const options = { payload, retry: fixed('1h'), lease: '2s', timeout: '10s', maxAttempts: 3 } as const;
const index = defineJob({ type: 'index', ...options, collect: { max: 100, wait: '500ms' } });
/** Its jobs wait for longer than the worker is sure of a lease. */
const slow = defineJob({ type: 'slow', ...options, queue: 'slow', collect: { max: 100, wait: '1500ms' } });
const catalog = defineCatalog([index, slow]);

const workers: Worker[] = [];
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, workers');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

async function start(handle: CollectHandler<typeof index>) {
  const started = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { index: handle, slow: handle as CollectHandler as CollectHandler<typeof slow> },
    leases: heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog }),
  });
  workers.push(started.worker);
  return started;
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const statusOf = async ({ id }: { id: string }) => (await getJob(database.db, id)).job.status;
const loseLease = (id: string) =>
  database.db
    .$executeRaw`UPDATE duework.job_runs SET fence = fence + 1, locked_by = 'another' WHERE id = ${BigInt(id)}`;

test('250 jobs arrive as 100, 100 and 50, and each outcome settles its own', async () => {
  const calls: number[] = [];
  const { events } = await start((jobs) => {
    calls.push(jobs.length);
    return jobs.map((job) => (job.payload.n % 50 === 0 ? retry('busy') : complete({ n: job.payload.n })));
  });
  const jobs = await enqueueMany(
    database.db,
    numbers(250).map((n) => jobRequest(index, { n })),
  );
  await Promise.all([events.waitFor('job.succeeded', 245), events.waitFor('job.failed', 5)]);
  expect(calls).toEqual([100, 100, 50]);
  expect(events.named('job.failed').map(({ run }) => (run.payload as { n: number }).n)).toEqual([
    50, 100, 150, 200, 250,
  ]);
  expect((await getJob(database.db, jobs[6]!.id)).job).toMatchObject({ status: 'succeeded', result: { n: 7 } });
  expect((await getJob(database.db, jobs[49]!.id)).job).toMatchObject({ status: 'failed', attempts: 1 });
});

test('a lease that is lost while its call runs costs the others nothing', async () => {
  const finish = gate();
  const aborts: number[] = [];
  const { events } = await start(async (jobs) => {
    for (const { payload: given, signal } of jobs) signal.addEventListener('abort', () => aborts.push(given.n));
    await finish.promise;
  });
  const jobs = await enqueueMany(
    database.db,
    numbers(3).map((n) => jobRequest(index, { n })),
  );
  await events.waitFor('job.claimed', 3);
  await loseLease(jobs[1]!.id);
  await events.waitFor('lease.lost');
  finish.open();
  await events.waitFor('job.succeeded', 2);
  expect(await Promise.all(jobs.map(statusOf))).toEqual(['succeeded', 'running', 'succeeded']);
  expect((await getJob(database.db, jobs[1]!.id)).job).toMatchObject({ worker: 'another', fence: 2 });
});

test('a lease that is lost while its job waits keeps it out of the call, which begins with leases that were renewed', async () => {
  const calls: number[][] = [];
  const { events } = await start((jobs) => void calls.push(jobs.map((job) => job.payload.n)));
  const jobs = await enqueueMany(
    database.db,
    numbers(3).map((n) => jobRequest(slow, { n })),
  );
  await events.waitFor('job.claimed', 3);
  await loseLease(jobs[1]!.id);
  await events.waitFor('job.succeeded', 2);
  expect(calls).toEqual([[1, 3]]);
  expect(events.named('lease.lost').map(({ run }) => run.id)).toEqual([jobs[1]!.id]);
});

test('a worker process that is killed in a call leaves each job to be rescued by itself', async () => {
  const jobs = await enqueueMany(
    database.db,
    numbers(5).map((n) => jobRequest(index, { n })),
  );
  const child = spawn(process.execPath, [programPath('hold-call-for-ever.mjs'), database.url, 'the one that dies'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect(String(line)).toBe('5\n');
  } finally {
    child.kill('SIGKILL');
  }
  const attempts: number[][] = [];
  const { events } = await start((given) => void attempts.push(given.map((job) => job.attempt)));
  await events.waitFor('job.succeeded', 4);
  expect(attempts.flat()).toEqual([2, 2, 2, 2]);
  const found = await Promise.all(jobs.map(({ id }) => getJob(database.db, id)));
  expect(found.map(({ job, attempts: past }) => [job.attempts, ...past.map(({ outcome }) => outcome)])).toEqual([
    [1],
    ...Array.from({ length: 4 }, () => [2, 'lost']),
  ]);
});
