import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { drain, startTestWorker } from '@duework/testing';
import { ageByDays, agedId, emptyTables, untilJob, useTestDatabase } from '@duework/testing/fixtures';
import type { Queryable } from '@duework/sql';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueueBatch, getBatch } from '../batches/enqueue-batch.js';
import { enqueue } from '../enqueue/enqueue.js';
import { jobRequest } from '../enqueue/job-request.js';
import { getJob } from '../queue/operate.js';
import type { Handlers } from '../run/handler.js';
import { bury } from '../settle/outcome.js';
import type { Worker } from '../worker/create-worker.js';
import { pruneRuns } from './prune-runs.js';

const database = useTestDatabase();
const DAY_MS = 86_400_000;
const KEEP = { keepDays: 30, keepDeadDays: 90 };
const payload = z.object({ n: z.int() });
const year = defineJob({ type: 'year', payload, durable: true });
const quarter = defineJob({ type: 'quarter', payload, durable: true });
const part = defineJob({
  type: 'part',
  payload,
  retry: fixed('1ms'),
  maxAttempts: 2,
  idempotencyKey: ({ n }) => `${n}`,
});
const catalog = defineCatalog([year, quarter, part]);
const handlers: Handlers<typeof catalog> = {
  year: async ({ payload: { n }, sleep, child }) => {
    await child(quarter, { n });
    await sleep(new Date(Date.now() + 60 * DAY_MS));
  },
  quarter: async ({ payload: { n }, child }) => void (await child(part, { n })),
  part: async ({ payload: { n }, attempt, once }) => {
    await once('mail', () => {});
    if (n === 13) return bury('unlucky', 'It never works.');
    if (attempt === 1) throw new Error('not yet');
    return undefined;
  },
};

const workers: Worker[] = [];
async function start() {
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, { catalog, handlers });
  workers.push(worker);
  return events;
}
beforeEach(async () => {
  await emptyTables(
    database.db,
    'job_runs, job_history, job_attempts, job_keys, job_effects, job_steps, job_batches, job_batch_changes, job_batch_jobs',
  );
});
const stopAll = () => Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
afterEach(stopAll);

const isThere = (id: string): Promise<boolean> =>
  getJob(database.db, id).then(
    () => true,
    () => false,
  );
const are = (...ids: string[]): Promise<boolean[]> => Promise.all(ids.map(isThere));

/** A year that sleeps, its quarter and the part of that, all as old as that. */
async function sleepingYear(days: number): Promise<[year: string, quarter: string, part: string]> {
  const events = await start();
  const { id } = await enqueue(database.db, year, { n: 7 });
  while ((await database.db.jobStep.count({ where: { name: 'sleep' } })) === 0) await events.next();
  await stopAll();
  const ended = await database.db.jobHistory.findMany({ orderBy: { id: 'asc' } });
  await ageByDays(database.db, days);
  return [id, ...ended.map((run) => String(run.id))].map((one) => agedId(one, days)) as [string, string, string];
}

test('while a workflow sleeps for longer than finished jobs are kept, its children stay, and theirs, with their attempts, keys and effects', async () => {
  const ids = await sleepingYear(45);
  await enqueueBatch(database.db, { jobs: [] });
  // whatever the age of the day in which they were
  for (const days of [0, 40, 0]) {
    await ageByDays(database.db, days);
    ids.splice(0, 3, ...(ids.map((id) => agedId(id, days)) as typeof ids));
    await pruneRuns(database.db, KEEP);
    expect(await are(...ids)).toEqual([true, true, true]);
  }
  const { job, attempts } = await getJob(database.db, ids[2]);
  expect(job).toMatchObject({ status: 'succeeded', attempts: 2 });
  expect(attempts).toHaveLength(1);
  expect(await enqueue(database.db, part, { n: 7 })).toMatchObject({ id: ids[2], isDeduplicated: true });
  expect(await database.db.jobEffect.count()).toBe(1);
  // nobody else's day has stayed
  expect(
    await database.db
      .$queryRaw`SELECT FROM pg_class WHERE relkind = 'r' AND relname LIKE 'job_history_succeeded_%' AND right(relname, 8) < to_char(now() - interval '32 days', 'YYYYMMDD')`,
  ).toEqual([]);
});

test('once the workflow has ended and is old enough, all of it goes, each level a day later at most', async () => {
  const ids = await sleepingYear(70);
  await start();
  await untilJob(database.db, ids[0]);
  await stopAll();
  await pruneRuns(database.db, KEEP);
  expect(await are(...ids)).toEqual([true, true, true]);
  const old = ids.map((id) => agedId(id, 32));
  await ageByDays(database.db, 32);
  await pruneRuns(database.db, KEEP);
  expect(await are(...old.slice(0, 2))).toEqual([false, false]);
  await ageByDays(database.db, 1);
  await pruneRuns(database.db, KEEP);
  expect(await are(...old.map((id) => agedId(id, 1)))).toEqual([false, false, false]);
  for (const left of [database.db.jobStep, database.db.jobKey, database.db.jobEffect, database.db.jobAttempt])
    expect(await (left as typeof database.db.jobStep).count()).toBe(0);
});

test('the jobs of a batch stay while it is open, and go with it, and its counts stay exact', async () => {
  const events = await start();
  const { id, jobs } = await enqueueBatch(database.db, {
    jobs: [
      jobRequest(part, { n: 1 }),
      jobRequest(part, { n: 2 }),
      jobRequest(part, { n: 3 }, { runAt: new Date(Date.now() + 60 * DAY_MS) }),
    ],
  });
  await drain(database.db, { events });
  await stopAll();
  const aged = (days: number) => jobs.map((job) => agedId(job.id, days));
  await ageByDays(database.db, 45);
  await pruneRuns(database.db, KEEP);
  expect(await are(...aged(45))).toEqual([true, true, true]);
  expect(await getBatch(database.db, id)).toMatchObject({ jobs: 3, succeeded: 2, open: 1 });

  await ageByDays(database.db, 20);
  await drain(database.db, { events: await start() });
  await stopAll();
  expect(await getBatch(database.db, id)).toMatchObject({ succeeded: 3, open: 0, settledAt: expect.any(Date) });
  await pruneRuns(database.db, KEEP);
  expect(await are(...aged(65))).toEqual([true, true, true]);

  await ageByDays(database.db, 32);
  await pruneRuns(database.db, KEEP);
  expect(await are(...aged(97))).toEqual([false, false, false]);
  await expect(getBatch(database.db, id)).rejects.toMatchObject({ code: 'batch_not_found' });
  expect(await database.db.jobBatchJob.count()).toBe(0);
});

test('a batch with a dead job stays as long as that does, and so do all its jobs', async () => {
  const events = await start();
  const { id, jobs } = await enqueueBatch(database.db, {
    jobs: [jobRequest(part, { n: 1 }), jobRequest(part, { n: 13 })],
  });
  await drain(database.db, { events });
  await stopAll();
  await ageByDays(database.db, 60);
  await pruneRuns(database.db, KEEP);
  expect(await are(...jobs.map((job) => agedId(job.id, 60)))).toEqual([true, true]);
  await ageByDays(database.db, 32);
  await pruneRuns(database.db, KEEP);
  expect(await are(...jobs.map((job) => agedId(job.id, 92)))).toEqual([false, false]);
  await expect(getBatch(database.db, id)).rejects.toMatchObject({ code: 'batch_not_found' });
});

/** Counts the statements, each of which is a transaction of its own, and the longest. */
function counted(): { db: Queryable; statements: () => number } {
  let statements = 0;
  const db: Queryable = {
    $queryRaw: (query, ...values) => {
      statements++;
      return database.db.$queryRaw(query, ...values);
    },
  };
  return { db, statements: () => statements };
}

test('100,000 finished children leave their day in portions, once, and cost later passes nothing that grows beyond a portion', async () => {
  const children = 100_000;
  await pruneRuns(database.db, KEEP);
  await database.db.$executeRaw`SELECT duework.ensure_partitions(7, 50)`;
  await database.db.$executeRaw`
    WITH parent AS (
      INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
      SELECT duework.first_id_today(-50), 'default', 'year', 1, 5, now() + interval '10 days', '{"n":1}', 3 RETURNING id
    ),
    children AS (
      INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker,
        claimed_at, created_at, finished_at)
      SELECT duework.first_id_today(-50) + n, 'default', 'part', 1, 'succeeded', 5, at, '{"n":1}', 1, 3, 1, 'w', at, at, at
      FROM generate_series(1, ${children}::integer) AS n CROSS JOIN (SELECT now() - interval '50 days' AS at) AS x
      RETURNING id
    )
    INSERT INTO duework.job_steps (run_id, name, asked_seq, done_seq, awaits, awaited, fence, needed_at)
    SELECT duework.first_id_today(-50), 'part ' || n, n, n, 'child', duework.first_id_today(-50) + n, 1, now() - interval '50 days'
    FROM generate_series(1, ${children}::integer) AS n`;
  const nothing = 22;
  const portions = children / 10_000;
  // of the days from the 50th to the 32nd, ten at a time
  const drops = 2;
  const first = counted();
  await pruneRuns(first.db, KEEP);
  // they leave their day, which is dropped then, and nobody looks at their parent's steps again for 30 days
  expect(await database.db.$queryRaw`SELECT count(*)::integer AS count FROM duework.job_history_late`).toEqual([
    { count: children },
  ]);
  expect(first.statements()).toBe(nothing + 2 * portions + drops);
  const next = counted();
  await pruneRuns(next.db, KEEP);
  expect(next.statements()).toBe(nothing + portions);

  await database.db.$executeRaw`DELETE FROM duework.job_runs`;
  await database.db.$executeRaw`UPDATE duework.job_steps SET needed_at = now() - interval '50 days'`;
  await pruneRuns(database.db, KEEP);
  expect(await database.db.$queryRaw`SELECT FROM duework.job_history`).toEqual([]);
});
