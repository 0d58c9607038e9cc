import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { systemClock, type Clock } from '@duework/queue-core/handling';
import { enqueue, enqueueMany, getJob, jobRequest, type Worker } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { isolated } from './isolated.js';
import { IDLE_MS } from './process-pool.js';

const database = useTestDatabase();
const payload = z.object({ leave: z.string() });
const common = { payload, retry: fixed('1ms'), maxAttempts: 3 } as const;
const stay = defineJob({ ...common, type: 'stay', isolate: {} });
const fresh = defineJob({ ...common, type: 'stay', isolate: { maxJobsPerProcess: 1 } });
const few = defineJob({ ...common, type: 'stay', isolate: { maxJobsPerProcess: 3 } });
const other = defineJob({ ...common, type: 'other', isolate: {} });
const module = isolated(new URL('./fixtures/stay.mjs', import.meta.url));

interface Found {
  readonly pid: number;
  readonly count: number;
  readonly context: string | null;
}

let worker: Worker | undefined;
afterEach(async () => {
  await worker?.stop({ deadlineMs: 0 });
  await emptyTables(database.db, 'job_runs, job_history, job_attempts');
});

async function start(contract: typeof stay | typeof fresh, concurrency: number, clock: Clock = systemClock) {
  const started = await startTestWorker(database.db, {
    catalog: defineCatalog([contract as typeof stay, other]),
    handlers: { stay: module, other: isolated(new URL('./fixtures/bare.mjs', import.meta.url)) },
    concurrency,
    clock,
  });
  worker = started.worker;
  return started;
}

const jobOf = async (id: string) => (await getJob(database.db, id)).job;

/** Enqueues one and returns what it found. */
async function runOne({ events }: Awaited<ReturnType<typeof start>>, leave = 'nothing'): Promise<Found> {
  const before = events.named('job.succeeded').length;
  const { id } = await enqueue(database.db, stay, { leave });
  await events.waitFor('job.succeeded', before + 1);
  return (await jobOf(id)).result as unknown as Found;
}

async function runMany(count: number, { events }: Awaited<ReturnType<typeof start>>): Promise<readonly Found[]> {
  const jobs = await enqueueMany(
    database.db,
    Array.from({ length: count }, () => jobRequest(stay, { leave: 'nothing' })),
  );
  await events.waitFor('job.succeeded', count);
  return Promise.all(jobs.map(async ({ id }) => (await jobOf(id)).result as unknown as Found));
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
}

describe('isolated attempts share processes', () => {
  test('fifty jobs start no more processes than the worker has slots, which end at its stop', async () => {
    const found = await runMany(50, await start(stay, 2));
    const pids = new Set(found.map(({ pid }) => pid));
    expect(pids.size).toBeLessThanOrEqual(2);
    await worker!.stop({ deadlineMs: 60_000 });
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
  });

  test('with maxJobsPerProcess 1 each attempt has a process of its own', async () => {
    const found = await runMany(10, await start(fresh, 2));
    expect(new Set(found.map(({ pid }) => pid)).size).toBe(10);
    expect(found.map(({ count }) => count)).toEqual(Array(10).fill(1));
  });

  test('a process runs as many attempts as maxJobsPerProcess says', async () => {
    const found = await runMany(9, await start(few, 1));
    expect(found.map(({ count }) => count).sort()).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
  });

  test('a variable of the module is kept, the async context of an attempt is not', async () => {
    const started = await start(stay, 1);
    const first = await runOne(started);
    expect(first).toMatchObject({ count: 1, context: null });
    expect(await runOne(started)).toEqual({ pid: first.pid, count: 2, context: null });
  });

  test('a TypeScript module that tsx loads is loaded once for many attempts', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'duework-pool-'));
    await mkdir(join(dir, 'node_modules'));
    await symlink(dirname(createRequire(import.meta.url).resolve('tsx/package.json')), join(dir, 'node_modules/tsx'));
    await writeFile(join(dir, 'package.json'), '{ "type": "module" }');
    await writeFile(
      join(dir, 'typed.ts'),
      'enum First { one = 1 }\nlet n = 0;\nexport default () => First.one + n++;\n',
    );
    const { worker: typed, events } = await startTestWorker(database.db, {
      catalog: defineCatalog([stay]),
      handlers: { stay: isolated(pathToFileURL(join(dir, 'typed.ts'))) },
      concurrency: 1,
    });
    worker = typed;
    for (const expected of [1, 2, 3]) {
      const { id } = await enqueue(database.db, stay, { leave: 'nothing' });
      await events.waitFor('job.succeeded', expected);
      expect((await jobOf(id)).result).toBe(expected);
    }
    await rm(dir, { recursive: true });
  });

  test('all types of a worker share its slots: an idle process of one ends for an attempt of another', async () => {
    const started = await start(stay, 1);
    const { pid } = await runOne(started);
    await enqueue(database.db, other, { leave: 'nothing' });
    await started.events.waitFor('job.succeeded', 2);
    expect(isAlive(pid)).toBe(false);
    expect(await runOne(started)).toMatchObject({ count: 1 });
  });

  test('a process that is idle for too long ends, and the next attempt gets another', async () => {
    let endIdle = (): void => {};
    const clock: Clock = {
      ...systemClock,
      after: (ms, callback) => {
        if (ms !== IDLE_MS) return systemClock.after(ms, callback);
        endIdle = callback;
        return () => {};
      },
    };
    const started = await start(stay, 2, clock);
    const { pid } = await runOne(started);
    endIdle();
    await gone(pid);
    expect(await runOne(started)).toMatchObject({ count: 1 });
  });
});

describe('a process takes no other attempt', () => {
  test.each(['timer', 'interval', 'server', 'pool', 'child', 'unrefChild', 'once', 'memory'])(
    'when its handler leaves something behind: %s',
    async (leave) => {
      const started = await start(stay, 1);
      const { pid } = await runOne(started, leave);
      expect(isAlive(pid)).toBe(false);
      expect(await runOne(started)).toMatchObject({ count: 1 });
    },
  );

  test.each(['exit', 'reject'])('when it broke, which fails no attempt but its own: %s', async (leave) => {
    const started = await start(stay, 1);
    const { pid } = await runOne(started);
    const { id } = await enqueue(database.db, stay, { leave }, { maxAttempts: 1 });
    await started.events.waitFor('job.dead');
    expect(await jobOf(id)).toMatchObject({ attempts: 1 });
    expect(isAlive(pid)).toBe(false);
    expect(await runOne(started)).toMatchObject({ count: 1 });
  });
});

test.each(['exitAtRest', 'throwAtRest'])(
  'what a thread comes to after its answer changes nothing of it: the work is done, and not repeated: %s',
  async (leave) => {
    const started = await start(stay, 1);
    const { id } = await enqueue(database.db, stay, { leave });
    await started.events.waitFor('job.succeeded');
    expect(await jobOf(id)).toMatchObject({ status: 'succeeded', attempts: 1, result: { count: 1 } });
    expect(await runOne(started)).toMatchObject({ count: 1 });
    expect(started.events.named('job.failed')).toEqual([]);
  },
);

test.each(['throws', 'progress', 'unrefTimer'])('a process whose handler left nothing goes on: %s', async (leave) => {
  const started = await start(stay, 1);
  const { pid } = await runOne(started);
  const { id } = await enqueue(database.db, stay, { leave }, { maxAttempts: 1 });
  await Promise.race([started.events.waitFor('job.dead'), started.events.waitFor('job.succeeded', 2)]);
  expect(await jobOf(id)).toMatchObject(leave === 'throws' ? { errorCode: 'busy' } : { result: { pid, count: 2 } });
  expect(await runOne(started)).toMatchObject({ pid, count: 3 });
});

test.each([
  ['before it is given an attempt', false],
  ['before its thread has begun the attempt', true],
])('a process that is killed while it is idle costs no attempt: %s', async (_, isStopped) => {
  const started = await start(stay, 1);
  const { pid } = await runOne(started);
  if (isStopped) process.kill(pid, 'SIGSTOP');
  else {
    process.kill(pid, 'SIGKILL');
    await gone(pid);
  }
  const { id } = await enqueue(database.db, stay, { leave: 'nothing' });
  if (isStopped) {
    await started.events.waitFor('job.claimed', 2);
    while ((await jobOf(id)).status !== 'running') await new Promise((resolve) => setImmediate(resolve));
    process.kill(pid, 'SIGKILL');
  }
  await started.events.waitFor('job.succeeded', 2);
  expect(await jobOf(id)).toMatchObject({ attempts: 1, result: { count: 1 } });
});
