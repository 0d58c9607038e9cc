import { join } from 'node:path';
import { connectRedis } from '@duework/bullmq';
import { startRedis, type RedisServer } from '@duework/bullmq/testing';
import { defineCatalog, defineJob } from '@duework/contracts';
import { enqueue } from '@duework/queue-core';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { FlowProducer, Queue } from 'bullmq';
import { z } from 'zod';
import { root } from '../testing/root.js';
import { useMoves } from './testing/use-moves.js';

const sendMail = defineJob({ type: 'send-mail', queue: 'mail', payload: z.object({ n: z.int() }) });
const { database, run } = useMoves(defineCatalog([sendMail]));
const HOUR_MS = 3_600_000;

let server: RedisServer;
let url: string;
let redis: ReturnType<typeof connectRedis>;
beforeAll(async () => {
  server = await startRedis();
  url = `redis://127.0.0.1:${server.port}`;
  redis = connectRedis(url);
});
afterAll(async () => {
  redis.close();
  await server.stop();
});
beforeEach(async () => {
  await redis.connection.flushall();
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.job_history, duework.job_keys`;
});

// where the packages are found that the command loads when it is asked to
const cwd = join(root, 'packages/cli');
const move = (...more: string[]) => run(['--from', 'bullmq', ...more], { cwd, redisUrl: () => url });

async function withQueue(name: string, act: (queue: Queue) => Promise<unknown>): Promise<void> {
  const queue = new Queue(name, { connection: redis.connection as never });
  await act(queue);
  await queue.close();
}
const here = async () =>
  database.db.$queryRaw<{ n: number; run_at: Date; queue: string; priority: number }[]>`
    SELECT (payload ->> 'n')::integer AS n, run_at, queue, priority, max_attempts FROM duework.job_runs ORDER BY 1`;

test('what waits in each queue is planned by name and place, and moves with its moment; what cannot is named', async () => {
  const before = Date.now();
  await withQueue('mail', async (queue) => {
    await queue.add('send-mail', { n: 1 }, { delay: HOUR_MS, attempts: 4 });
    await queue.add('send-mail', { n: 2 }, { priority: 3 });
    await queue.add('other', { n: 3 }, { jobId: 'third' });
    await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *' }, { name: 'send-mail', data: { n: 4 } });
  });
  await withQueue('elsewhere', async (queue) => queue.add('send-mail', { n: 5 }));
  const flows = new FlowProducer({ connection: redis.connection as never });
  await flows.add({
    name: 'sum',
    queueName: 'sums',
    children: [{ name: 'send-mail', queueName: 'mail', data: { n: 6 } }],
  });
  await flows.close();
  const plan = JSON.parse((await move('--dry-run', '--json')).out) as unknown[];
  const line = (queue: string, name: string | null, place: string, type: string | null, problem: string | null) =>
    expect.objectContaining({ queue, name, place, jobs: 1, type, problem });
  const staying = [
    line('mail', null, 'repeat', null, null),
    line('mail', 'other', 'wait', null, 'no contract'),
    line('mail', 'send-mail', 'wait', null, 'a job of BullMQ waits for it as its child'),
    line('sums', null, 'waiting-children', null, null),
  ];
  const moving = [
    line('mail', 'send-mail', 'delayed', 'send-mail', null),
    line('mail', 'send-mail', 'prioritized', 'send-mail', null),
    line('elsewhere', 'send-mail', 'wait', 'send-mail', null),
  ];
  expect(plan).toHaveLength(7);
  expect(plan).toEqual(expect.arrayContaining([...staying, ...moving]));
  expect(await here()).toEqual([]);
  await expect(move()).rejects.toMatchObject({ code: 'confirmation_needed' });
  const report = JSON.parse((await move('--yes', '--json')).out) as { moved: unknown; left: unknown[] };
  expect(report.moved).toEqual([{ type: 'send-mail', jobs: 3 }]);
  expect(report.left).toHaveLength(4);
  expect(report.left).toEqual(expect.arrayContaining(staying));
  const rows = await here();
  expect(rows).toMatchObject([
    { n: 1, queue: 'mail', max_attempts: 4 },
    { n: 2, queue: 'mail', priority: 2 },
    { n: 5, queue: 'mail' },
  ]);
  expect(rows[0]!.run_at.getTime()).toBeGreaterThanOrEqual(before + HOUR_MS);
  expect((await move('--yes')).out).toMatch(/^send-mail +0$/m);
});

test('undo puts what waits back, also what was enqueued here since', async () => {
  await withQueue('mail', async (queue) => {
    await queue.add('send-mail', { n: 1 }, { delay: HOUR_MS, attempts: 4 });
    await queue.add('send-mail', { n: 2 });
  });
  await move('--yes');
  await enqueue(database.db, sendMail, { n: 3 }, { idempotencyKey: 'key' });
  const { out } = await move('--undo', '--yes', '--json');
  expect(JSON.parse(out)).toMatchObject({ moved: [{ type: 'send-mail', jobs: 3, left: 0 }], isDone: true });
  expect(await here()).toEqual([]);
  expect(await enqueue(database.db, sendMail, { n: 4 }, { idempotencyKey: 'key' })).toMatchObject({
    isDeduplicated: false,
  });
  await withQueue('mail', async (queue) => {
    const jobs = await queue.getJobs(['wait', 'delayed', 'prioritized']);
    const told = jobs.map(({ name, data, opts }) => [(data as { n: number }).n, name, opts.attempts]);
    expect(told.sort()).toEqual([
      [1, 'send-mail', 4],
      [2, 'send-mail', 1],
      [3, 'send-mail', 10],
    ]);
    const far = jobs.find(({ data }) => (data as { n: number }).n === 1);
    expect(far!.opts.delay).toBeGreaterThan(HOUR_MS / 2);
  });
});

test('an undo that is killed when BullMQ has the jobs is gone on with by the next, and makes no second ones', async () => {
  await enqueue(database.db, sendMail, { n: 1 });
  let isKilled = false;
  const dying = {
    $connect: () => {},
    $queryRaw: (...args: [never]) => database.db.$queryRaw(...args),
    $transaction: (act: (tx: unknown) => Promise<unknown>, options?: object) =>
      database.db.$transaction(async (tx) => {
        const answer = await act(tx);
        if (answer !== 1 || isKilled) return answer;
        isKilled = true;
        throw new Error('killed before the commit');
      }, options),
  };
  await expect(
    run(['--from', 'bullmq', '--undo', '--yes'], { cwd, redisUrl: () => url, db: async () => dying as never }),
  ).rejects.toThrow('killed before the commit');
  await move('--undo', '--yes');
  await withQueue('mail', async (queue) => {
    expect(await queue.getJobCounts('wait', 'delayed', 'prioritized')).toEqual({ wait: 0, delayed: 1, prioritized: 0 });
  });
  expect(await here()).toEqual([]);
});

test('without a Redis, or with what goes with other systems, it says so', async () => {
  await expect(run(['--from', 'bullmq'], { cwd })).rejects.toMatchObject({ code: 'redis_url_missing' });
  await expect(move('--names', 'a=send-mail')).rejects.toMatchObject({ code: 'option_wrong' });
  await expect(move('--to', 'dedicated')).rejects.toMatchObject({ code: 'option_wrong' });
});
