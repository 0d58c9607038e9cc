import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { cancelJob, enqueue, enqueueMany, getJob, jobRequest } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { act, plain, useIsolatedWorker } from './testing/use-isolated-worker.js';
import { isolated } from './isolated.js';

const { database, start } = useIsolatedWorker();

const historyOf = async (id: string) => (await getJob(database.db, id)).attempts;

/** Resolves when that process has ended. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the time limit', () => {
  test('an isolated handler that ignores its signal is killed at its time limit', async () => {
    const { events, logged, hitLimit } = await start();
    const { id } = await enqueue(database.db, act, { act: 'ignore' }, { maxAttempts: 1 });
    await logged('started');
    hitLimit();
    expect((await logged('aborted')).facts).toEqual({ code: 'timeout' });
    await events.waitFor('job.dead');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', errorCode: 'timeout', attempts: 1 });
    expect(await historyOf(id)).toMatchObject([
      { outcome: 'failed', errorCode: 'timeout', abortCode: 'timeout', abortStage: 'killed' },
    ]);
    expect(events.named('job.overran')).toEqual([]);
  });

  test('a busy loop that never yields is killed and blocks nobody else', async () => {
    const { worker, events, logged, hitLimit } = await start({ concurrency: 2 });
    const { id } = await enqueue(database.db, act, { act: 'spin' }, { maxAttempts: 1 });
    await logged('started');
    await enqueueMany(
      database.db,
      Array.from({ length: 50 }, () => jobRequest(plain, {})),
    );
    await events.waitFor('job.succeeded', 50);
    expect(worker.activity()).toMatchObject({ running: 1 });
    hitLimit();
    await events.waitFor('job.dead');
    expect(await historyOf(id)).toMatchObject([{ abortCode: 'timeout', abortStage: 'killed' }]);
  });

  test('a killed attempt is retried and its history says killed', async () => {
    // this attempt's time limit runs on the real clock
    const brief = defineJob({
      type: 'act',
      payload: z.object({ act: z.string() }),
      isolate: {},
      timeout: '3s',
      retry: fixed('1ms'),
      maxAttempts: 9,
    });
    const { worker, events } = await startTestWorker(database.db, {
      catalog: defineCatalog([brief]),
      handlers: { act: isolated(new URL('./fixtures/act.mjs', import.meta.url)) },
    });
    try {
      const { id } = await enqueue(database.db, brief, { act: 'spinOnce' });
      await events.waitFor('job.succeeded');
      expect((await getJob(database.db, id)).job).toMatchObject({
        status: 'succeeded',
        result: 'at the second attempt',
      });
      expect((await historyOf(id))[0]).toMatchObject({
        attempt: 1,
        outcome: 'failed',
        errorCode: 'timeout',
        abortCode: 'timeout',
        abortStage: 'killed',
      });
    } finally {
      await worker.stop({ deadlineMs: 0 });
    }
  });

  test('an isolated handler that obeys its signal is not killed', async () => {
    const { events, logged, hitLimit } = await start({ graceMs: 60_000 });
    const { id } = await enqueue(database.db, act, { act: 'obey' }, { maxAttempts: 1 });
    await logged('started');
    hitLimit();
    await events.waitFor('job.dead');
    expect((await logged('aborted')).facts).toMatchObject({ name: 'AbortReason', code: 'timeout', by: null });
    expect(await historyOf(id)).toMatchObject([
      { errorCode: 'timeout', abortCode: 'timeout', abortStage: 'signalled' },
    ]);
  });

  test('a call into native code that never comes back is killed as well', async () => {
    const { events, logged, hitLimit } = await start();
    const { id } = await enqueue(database.db, act, { act: 'native' }, { maxAttempts: 1 });
    await logged('started');
    hitLimit();
    await events.waitFor('job.dead');
    expect(await historyOf(id)).toMatchObject([{ abortStage: 'killed' }]);
  });

  test('processes that a handler has started end with it', async () => {
    const { events, logged, hitLimit } = await start();
    await enqueue(database.db, act, { act: 'spawn' }, { maxAttempts: 1 });
    const { facts } = await logged('started');
    hitLimit();
    await events.waitFor('job.dead');
    await gone(facts['pid'] as number);
  });
});

describe('other reasons to abort an attempt', () => {
  test('a worker that is killed takes its attempts with it', async () => {
    const program = spawn(
      process.execPath,
      [fileURLToPath(new URL('./fixtures/run-one.mjs', import.meta.url)), 'spin'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(program.stdout, 'data')) as [Buffer];
    const { pid } = JSON.parse(line.toString().replace('started ', '')) as { pid: number };
    program.kill('SIGKILL');
    await gone(pid);
  });

  test('cancelling reaches a handler in a thread', async () => {
    const { events, logged } = await start({ graceMs: 60_000 });
    const { id } = await enqueue(database.db, act, { act: 'obey' });
    await logged('started');
    expect(await cancelJob(database.db, id, { by: 'ada', reason: 'wrong order' })).toBe('requested');
    expect((await logged('aborted')).facts).toEqual({
      name: 'AbortReason',
      code: 'cancelled',
      reason: 'wrong order',
      by: 'ada',
    });
    await events.waitFor('job.cancelled');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'cancelled', cancelRequestedBy: 'ada' });
    expect(await historyOf(id)).toMatchObject([
      { outcome: 'cancelled', abortCode: 'cancelled', abortStage: 'signalled' },
    ]);
  });

  test('a worker that stops kills a handler that ignores its signal, and gives the run back uncharged', async () => {
    const { worker, logged } = await start();
    const { id } = await enqueue(database.db, act, { act: 'spin' });
    await logged('started');
    expect(await worker.stop({ deadlineMs: 0 })).toEqual({ released: 1 });
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await historyOf(id)).toMatchObject([
      { outcome: 'interrupted', abortCode: 'shutting_down', abortStage: 'killed' },
    ]);
  });

  test('a thread whose lease was lost is killed, and the worker’s slot is free again', async () => {
    const { worker, events, logged } = await start({ concurrency: 1 });
    const { id } = await enqueue(database.db, act, { act: 'spin' });
    await logged('started');
    await database.db
      .$executeRaw`UPDATE duework.job_runs SET fence = fence + 1, locked_by = 'another' WHERE id = ${BigInt(id)}`;
    await events.waitFor('lease.lost');
    await enqueue(database.db, plain, {});
    await events.waitFor('job.succeeded');
    expect(worker.activity()).toMatchObject({ running: 0 });
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'running', worker: 'another' });
  });
});
