import { once } from 'node:events';
import { defineCatalog, defineJob } from '@duework/contracts';
import { beforeEach, expect, test } from '@jest/globals';
import { Worker } from 'bullmq';
import { z } from 'zod';
import { useBullmqMoves } from './testing/use-bullmq-moves.js';

const sendMail = defineJob({ type: 'send-mail', queue: 'mail', payload: z.object({ n: z.int() }) });
const { database, move, withQueue, redis, dyingAfter } = useBullmqMoves(defineCatalog([sendMail]));

beforeEach(async () => {
  await withQueue('mail', async (queue) => {
    await queue.add('send-mail', { n: 1, note: 'kept there' }, { jobId: 'first', attempts: 2, priority: 4 });
    await queue.add('send-mail', { n: 2 });
    const fail = (): Promise<never> => Promise.reject(new Error('no such address'));
    const connection = redis().connect();
    const worker = new Worker('mail', fail, { connection: connection as never });
    while ((await queue.getFailedCount()) < 2) await once(worker, 'failed');
    await worker.close();
    connection.disconnect();
  });
});
const dead = async () =>
  database.db.$queryRaw<{ n: number; attempts: number; last_error: string }[]>`
    SELECT (payload ->> 'n')::integer AS n, attempts, last_error FROM duework.job_history_dead ORDER BY 1`;
const toldOf = async () => {
  const all: unknown[] = [];
  await withQueue('mail', async (queue) => {
    for (const job of await queue.getFailed()) {
      const { id, name, data, opts, attemptsMade, failedReason, stacktrace, timestamp, finishedOn } = job;
      all.push({ id, name, data, opts, attemptsMade, failedReason, stacktrace, timestamp, finishedOn });
    }
  });
  return all;
};

test('failed jobs are planned, come dead, and go back as they were', async () => {
  const before = await toldOf();
  const { jobs } = JSON.parse((await move('--dry-run', '--json')).out) as { jobs: unknown[] };
  expect(jobs).toMatchObject([{ name: 'send-mail', place: 'failed', jobs: 2, type: 'send-mail', problem: null }]);
  expect(await dead()).toEqual([]);
  const { moved } = JSON.parse((await move('--yes', '--json')).out) as { moved: unknown };
  expect(moved).toEqual([{ type: 'send-mail', jobs: 0, dead: 2 }]);
  expect(await dead()).toEqual([
    { n: 1, attempts: 2, last_error: 'no such address' },
    { n: 2, attempts: 1, last_error: 'no such address' },
  ]);
  expect(await toldOf()).toEqual([]);
  const { out } = await move('--undo', '--yes', '--json');
  expect(JSON.parse(out)).toMatchObject({ moved: [{ type: 'send-mail', jobs: 0, dead: 2, left: 0 }] });
  expect(await dead()).toEqual([]);
  expect(await toldOf()).toEqual(before);
  await withQueue('mail', async (queue) => {
    const first = await queue.getJob('first');
    await first!.retry();
    expect(await first!.getState()).toBe('prioritized');
  });
});

test('an undo that is killed when BullMQ has them makes no second ones, also where somebody has retried one since', async () => {
  await move('--yes');
  await expect(move.on(dyingAfter(2), '--undo', '--yes')).rejects.toThrow('killed before the commit');
  await withQueue('mail', async (queue) => {
    await (await queue.getJob('first'))!.retry();
  });
  await move('--undo', '--yes');
  expect(await dead()).toEqual([]);
  await withQueue('mail', async (queue) => {
    expect(await queue.getJobCounts('failed', 'prioritized', 'completed')).toEqual({
      failed: 1,
      prioritized: 1,
      completed: 0,
    });
  });
});

test('what Redis has forgotten goes back whole; where another job has the id by now it stays dead here', async () => {
  const before = await toldOf();
  await move('--yes');
  await withQueue('mail', async (queue) => {
    await queue.clean(0, 10, 'completed');
    await queue.add('send-mail', { n: 3 }, { jobId: 'first', delay: 60_000 });
  });
  const { out } = await move('--undo', '--yes', '--json');
  expect(JSON.parse(out)).toMatchObject({ moved: [{ dead: 1 }] });
  expect(await dead()).toMatchObject([{ n: 1 }]);
  expect(await toldOf()).toEqual(before.filter((job) => (job as { id: string }).id !== 'first'));
});
