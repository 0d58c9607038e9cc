import { defineCatalog, defineJob } from '@duework/contracts';
import { enqueue } from '@duework/queue-core';
import { expect, test } from '@jest/globals';
import { FlowProducer } from 'bullmq';
import { z } from 'zod';
import { useBullmqMoves } from './testing/use-bullmq-moves.js';

const sendMail = defineJob({ type: 'send-mail', queue: 'mail', payload: z.object({ n: z.int() }) });
const { database, move, redis, run, withQueue, dyingAfter } = useBullmqMoves(defineCatalog([sendMail]));
const HOUR_MS = 3_600_000;
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
  const connection = redis().connect();
  const flows = new FlowProducer({ connection: connection as never });
  await flows.add({
    name: 'sum',
    queueName: 'sums',
    children: [{ name: 'send-mail', queueName: 'mail', data: { n: 6 } }],
  });
  await flows.close();
  connection.disconnect();
  const plan = JSON.parse((await move('--dry-run', '--json')).out) as { jobs: unknown[]; schedules: unknown[] };
  const line = (queue: string, name: string | null, place: string, type: string | null, problem: string | null) =>
    expect.objectContaining({ queue, name, place, jobs: 1, type, problem });
  const staying = [
    line('mail', 'other', 'wait', null, 'no contract'),
    line('mail', 'send-mail', 'wait', null, 'a job of BullMQ waits for it as its child'),
    line('sums', null, 'waiting-children', null, null),
  ];
  const moving = [
    line('mail', 'send-mail', 'delayed', 'send-mail', null),
    line('mail', 'send-mail', 'prioritized', 'send-mail', null),
    line('elsewhere', 'send-mail', 'wait', 'send-mail', null),
  ];
  expect(plan.schedules).toMatchObject([{ name: 'mail nightly', key: 'send-mail:nightly', stays: null }]);
  expect(plan.jobs).toHaveLength(6);
  expect(plan.jobs).toEqual(expect.arrayContaining([...staying, ...moving]));
  expect(await here()).toEqual([]);
  await expect(move()).rejects.toMatchObject({ code: 'confirmation_needed' });
  const report = JSON.parse((await move('--yes', '--json')).out) as { moved: unknown; left: unknown[] };
  // among them the one that the scheduler has made
  expect(report.moved).toEqual([{ type: 'send-mail', jobs: 4, dead: 0 }]);
  expect(report.left).toHaveLength(3);
  expect(report.left).toEqual(expect.arrayContaining(staying));
  const rows = await here();
  expect(rows).toMatchObject([
    { n: 1, queue: 'mail', max_attempts: 4 },
    { n: 2, queue: 'mail', priority: 2 },
    { n: 4, queue: 'mail' },
    { n: 5, queue: 'mail' },
  ]);
  expect(rows[0]!.run_at.getTime()).toBeGreaterThanOrEqual(before + HOUR_MS);
  expect((await move('--yes')).out).toMatch(/^send-mail +0 +0$/m);
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
  await expect(move.on(dyingAfter(1), '--undo', '--yes')).rejects.toThrow('killed before the commit');
  await move('--undo', '--yes');
  await withQueue('mail', async (queue) => {
    expect(await queue.getJobCounts('wait', 'delayed', 'prioritized')).toEqual({ wait: 0, delayed: 1, prioritized: 0 });
  });
  expect(await here()).toEqual([]);
});

test('without a Redis, or with what goes with other systems, it says so', async () => {
  await expect(run(['--from', 'bullmq'])).rejects.toMatchObject({ code: 'redis_url_missing' });
  await expect(move('--names', 'a=send-mail')).rejects.toMatchObject({ code: 'option_wrong' });
  await expect(move('--to', 'dedicated')).rejects.toMatchObject({ code: 'option_wrong' });
});
