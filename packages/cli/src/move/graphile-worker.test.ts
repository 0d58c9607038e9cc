import { defineCatalog, defineJob } from '@duework/contracts';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeWorkerUtils, runOnce, type WorkerUtils } from 'graphile-worker';
import type { Pool } from 'pg';
import { z } from 'zod';
import { openGraphilePool } from './testing/open-graphile-pool.js';
import { useMoves } from './testing/use-moves.js';

const sendMail = defineJob({ type: 'sendMail', payload: z.object({ n: z.int() }) });
const { database, run, plan, move, atEnd } = useMoves(defineCatalog([sendMail]));
const FROM = ['--from', 'graphile-worker'];
const HOUR_MS = 3_600_000;

let pgPool: Pool;
let utils: WorkerUtils;
beforeAll(async () => {
  pgPool = openGraphilePool(database.url);
  utils = await makeWorkerUtils({ pgPool });
  await utils.migrate();
  atEnd(async () => utils.release());
  atEnd(() => pgPool.end());
});
beforeEach(async () => {
  await database.db.$executeRaw`DELETE FROM graphile_worker._private_jobs`;
  await emptyTables(database.db, 'job_runs, job_history, job_keys');
});

const here = async () =>
  database.db.$queryRaw<{ n: number; run_at: Date; status: string; job: string }[]>`
    SELECT (j.payload ->> 'n')::integer AS n, j.run_at, j.priority, j.attempts, j.max_attempts, j.status, k.key, j.last_error,
      j.meta ->> 'movedJob' AS job
    FROM duework.jobs AS j LEFT JOIN duework.job_keys AS k ON k.run_id = j.id ORDER BY 1`;
const there = async () => {
  const rows = await database.db.$queryRaw<{ row: Record<string, unknown> }[]>`
    SELECT to_jsonb(j) - 'updated_at' AS row FROM graphile_worker._private_jobs AS j ORDER BY j.id`;
  return rows.map(({ row }) => row);
};
/** Runs what is due and fails it. */
const failOnce = async (taskList: readonly string[]): Promise<void> =>
  runOnce({
    pgPool,
    noHandleSignals: true,
    logger: SILENT,
    taskList: Object.fromEntries(taskList.map((name) => [name, () => Promise.reject(new Error('not now'))])),
  });

const { Logger } = await import('graphile-worker');
const SILENT = new Logger(() => () => {});

test('a plan tells what waits by task, queue and state, and moves nothing', async () => {
  await utils.addJob('sendMail', { n: 1 });
  await utils.addJob('sendMail', { n: 2 }, { queueName: 'one by one' });
  const { id } = await utils.addJob('sendMail', { n: 'three' });
  await utils.addJob('other', {});
  const before = await there();
  expect(await plan(...FROM)).toEqual({
    counts: [
      { name: 'other', queue: null, state: 'waiting', jobs: 1, type: null },
      { name: 'sendMail', queue: 'one by one', state: 'waiting', jobs: 1, type: 'sendMail' },
      { name: 'sendMail', queue: null, state: 'waiting', jobs: 2, type: 'sendMail' },
    ],
    jobs: 2,
    stays: [{ name: 'sendMail', why: expect.stringMatching(/^its contract refuses it: \/n: /), jobs: 1, ids: [id] }],
    schedules: [],
  });
  expect(await there()).toEqual(before);
  await expect(run([...FROM, '--schema', 'nowhere'])).rejects.toMatchObject({ code: 'old_system_missing' });
});

test('a job moves with its moment, priority, key and the attempts that it has left; one that failed for good is dead', async () => {
  const runAt = new Date(Date.now() + HOUR_MS);
  await utils.addJob('sendMail', { n: 2 }, { maxAttempts: 1 });
  await utils.addJob('sendMail', { n: 3 }, { maxAttempts: 5 });
  await failOnce(['sendMail']);
  const { id } = await utils.addJob('sendMail', { n: 1 }, { runAt, priority: -3, jobKey: 'one', maxAttempts: 7 });
  expect(await move(...FROM)).toMatchObject({ moved: [{ name: 'sendMail', waiting: 2, dead: 1 }], stays: [] });
  const rows = await here();
  expect(rows).toMatchObject([
    {
      n: 1,
      priority: 2,
      attempts: 0,
      max_attempts: 7,
      status: 'queued',
      key: 'one',
      job: `sendMail/${id}`,
      run_at: runAt,
    },
    { n: 2, attempts: 1, max_attempts: 1, status: 'dead', last_error: 'not now' },
    { n: 3, priority: 5, attempts: 1, max_attempts: 5, status: 'failed', last_error: 'not now' },
  ]);
  expect(await there()).toEqual([]);
});

test('what runs stays with its worker, and so does what has to wait for it in its queue', async () => {
  await utils.addJob('sendMail', { n: 1 }, { queueName: 'one' });
  await utils.addJob('sendMail', { n: 2 }, { queueName: 'one' });
  await utils.addJob('sendMail', { n: 3 });
  let seen: unknown;
  const work = (): Promise<void> =>
    runOnce({
      pgPool,
      noHandleSignals: true,
      concurrency: 1,
      logger: SILENT,
      taskList: {
        sendMail: async (payload) => {
          if ((payload as { n: number }).n === 1) seen = await move(...FROM);
        },
      },
    });
  // it asks for the next job beside writing that one has ended, and may find the queue still taken
  do await work();
  while ((await there()).length > 0);
  expect(seen).toMatchObject({
    moved: [{ waiting: 1, dead: 0 }],
    stays: [{ why: 'a job of its queue runs: run this again', jobs: 1 }],
  });
  expect((await here()).map(({ n }) => n)).toEqual([3]);
});

test('undo puts each row back as it was, and what was enqueued here since as a new one', async () => {
  const runAt = new Date(Date.now() + HOUR_MS);
  await utils.addJob(
    'sendMail',
    { n: 2, more: 'than the contract stores' },
    { maxAttempts: 2, queueName: 'one', flags: ['slow'] },
  );
  await failOnce(['sendMail']);
  await utils.addJob('sendMail', { n: 1 }, { runAt, priority: 77, jobKey: 'key' });
  const before = await there();
  expect(await move(...FROM)).toMatchObject({ moved: [{ waiting: 2 }] });
  const { enqueue } = await import('@duework/queue-core');
  await enqueue(database.db, sendMail, { n: 3 }, { priority: 2 });
  expect(await move(...FROM, '--undo')).toMatchObject({
    moved: [{ name: 'sendMail', waiting: 3, dead: 0 }],
    stays: [],
  });
  const after = await there();
  const isNew = ({ payload }: Record<string, unknown>): boolean => (payload as { n: number }).n === 3;
  expect(after.filter((row) => !isNew(row))).toEqual(before);
  expect(after.find(isNew)).toMatchObject({ priority: -3, attempts: 0, max_attempts: 10 });
  expect(await here()).toEqual([]);
  // a key that was taken there meanwhile
  await move(...FROM);
  await utils.addJob('sendMail', { n: 4 }, { jobKey: 'key' });
  expect(await move(...FROM, '--undo')).toMatchObject({
    moved: [{ waiting: 2 }],
    stays: [{ why: 'its key is taken there, or its queue is gone', jobs: 1 }],
  });
  expect((await here()).map(({ n }) => n)).toEqual([1]);
});
