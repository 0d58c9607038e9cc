import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { bury, cancelJob, complete, enqueue, retryJob, signal, type Handlers, type Worker } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { countBuffers, untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { countJobs } from '../search/count-jobs.js';
import { searchJobs } from '../search/search-jobs.js';
import { readSteps } from '../steps/read-steps.js';
import { readWorkflows } from './read-workflows.js';
import type { WorkflowType } from './workflow-type.js';
import { findCompensations } from './sql/find-compensations.js';
import { findStepTimes } from './sql/find-step-times.js';
import { findWaiting } from './sql/find-waiting.js';

const database = useTestDatabase();
const payload = z.object({ n: z.int() });
const paid = defineSignal({ name: 'paid', by: ['n'], payload });
const bill = defineJob({ type: 'bill', payload, maxAttempts: 1 });
const order = defineJob({ type: 'order', payload, durable: true, maxAttempts: 1 });
const trip = defineJob({ type: 'trip', payload, durable: true, maxAttempts: 1 });
const catalog = defineCatalog([bill, order, trip]);
const workers: Worker[] = [];
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.job_history, duework.job_steps, duework.job_keys`;
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

const forever = () => new Promise<never>(() => {});
async function start(handlers: Partial<Handlers<typeof catalog>>) {
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { bill: () => {}, order: () => {}, trip: () => {}, ...handlers },
  });
  workers.push(worker);
  return events;
}
const stateOf = async (type: string): Promise<WorkflowType> =>
  (await readWorkflows(database.db)).types.find((one) => one.type === type)!;
const enqueued = async (contract: typeof order | typeof trip, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await enqueue(database.db, contract, { n })).id);
  return ids;
};
const found = async (filter: string): Promise<string[]> =>
  (await searchJobs(database.db, { filter })).jobs.map(({ id }) => id).sort();

test('a type says at which steps its jobs wait, for what, how many, and since when the first does', async () => {
  const events = await start({
    order: async ({ payload: { n }, step, waitFor, sleep }) => {
      await step('reserve', () => n);
      if (n < 3) await waitFor(paid, { where: { n } });
      else await sleep('7d', { name: `rest ${n}` });
    },
  });
  const ids = await enqueued(order, 5);
  await events.waitFor('job.snoozed', 5);
  const { running, waiting, isAtLeast, places } = await stateOf('order');
  expect({ running, waiting, isAtLeast }).toEqual({ running: 0, waiting: 5, isAtLeast: false });
  expect(places.map(({ since: _, ...place }) => place)).toEqual([
    {
      step: 'wait for paid',
      kind: 'signal',
      signal: 'paid',
      jobs: 3,
      isAtLeast: false,
      filter: 'type:order at:"wait for paid"',
    },
    { step: 'rest', kind: 'time', signal: null, jobs: 2, isAtLeast: false, filter: 'type:order at:rest' },
  ]);
  const steps = (await readSteps(database.db, ids[0]!)).steps;
  expect(places[0]!.since).toEqual(steps.find(({ status }) => status === 'waiting')!.beganAt);
  expect(await found(places[0]!.filter)).toEqual(ids.slice(0, 3));
  expect(await found('at:rest')).toEqual(ids.slice(3));
  expect(await countJobs(database.db, '-at:rest type:order')).toEqual({ count: 3, isAtLeast: false });
});

test('a wait that has ended, or whose job has, counts no more', async () => {
  const events = await start({
    order: async ({ payload: { n }, waitFor, sleep }) => {
      await Promise.race([waitFor(paid, { where: { n } }), sleep('7d')]);
    },
  });
  const [first, second] = (await enqueued(order, 3)) as [string, string, string];
  await events.waitFor('job.snoozed', 3);
  expect((await stateOf('order')).places.map(({ jobs }) => jobs)).toEqual([3, 3]);
  await signal(database.db, paid, { n: 0 });
  await untilJob(database.db, first);
  await cancelJob(database.db, second);
  expect((await stateOf('order')).places.map(({ step, jobs }) => [step, jobs])).toEqual([
    ['sleep 7d', 1],
    ['wait for paid', 1],
  ]);
  expect(await found('at:"sleep 7d"')).toHaveLength(1);
});

test('a job that ended without going to wait leaves no wait, and one that is retried waits again', async () => {
  const events = await start({
    order: async ({ payload: { n }, step, sleep }) => {
      if (n === 0) await Promise.race([sleep('7d'), step('quick', () => n)]);
      else await sleep('8d');
    },
  });
  const [quick, waits] = (await enqueued(order, 2)) as [string, string];
  await untilJob(database.db, quick);
  await events.waitFor('job.snoozed', 1);
  const places = async () => (await stateOf('order')).places.map(({ step, jobs }) => [step, jobs]);
  expect(await places()).toEqual([['sleep 8d', 1]]);
  await cancelJob(database.db, waits);
  expect(await places()).toEqual([]);
  await retryJob(database.db, waits);
  await events.waitFor('job.snoozed', 2);
  expect(await places()).toEqual([['sleep 8d', 1]]);
  expect(await found('at:"sleep 8d"')).toEqual([waits]);
});

test('a job that runs is told by the step that it has ended last', async () => {
  await start({
    order: async ({ payload: { n }, step }) => {
      if (n > 0) await step(`mail ${n}`, () => n);
      await forever();
    },
  });
  await enqueued(order, 3);
  const places = async () => (await stateOf('order'))?.places.map(({ step, kind, jobs }) => [step, kind, jobs]);
  while ((await places())?.length !== 2 || (await database.db.jobStep.count()) < 2)
    await new Promise((done) => setTimeout(done, 5));
  expect(await places()).toEqual([
    ['mail', 'work', 2],
    [null, 'work', 1],
  ]);
  expect((await stateOf('order')).places[0]!.filter).toBe('type:order status:running');
  expect((await readWorkflows(database.db, { types: ['trip'] })).types).toEqual([]);
  expect((await readWorkflows(database.db, { types: ['trip'], durable: ['trip'] })).types).toMatchObject([
    { type: 'trip', running: 0, waiting: 0, places: [] },
  ]);
});

test('the slowest steps are told with their times, also waits, and how many failed', async () => {
  const events = await start({
    order: async ({ payload: { n }, step, waitFor }) => {
      await step('slow', () => new Promise<void>((done) => setTimeout(done, 30)));
      await step('broken', () => Promise.reject(new Error('no'))).catch(() => undefined);
      await step('quick', () => n);
      await waitFor(paid, { where: { n } });
    },
  });
  const [id] = (await enqueued(order, 1)) as [string];
  await events.waitFor('job.snoozed', 1);
  await database.db
    .$executeRaw`UPDATE duework.job_steps SET began_at = began_at - interval '1 hour' WHERE status = 'waiting'`;
  await signal(database.db, paid, { n: 0 });
  await untilJob(database.db, id);
  const { steps } = await stateOf('order');
  expect(steps.map(({ step, kind, times, failed }) => [step, kind, times, failed]).sort()).toEqual([
    ['broken', 'work', 1, 1],
    ['quick', 'work', 1, 0],
    ['slow', 'work', 1, 0],
    ['wait for paid', 'signal', 1, 0],
  ]);
  expect(steps[0]!.step).toBe('wait for paid');
  expect(steps.map(({ p95Ms }) => p95Ms)).toEqual(
    steps.map(({ p95Ms }) => p95Ms).toSorted((one, other) => other - one),
  );
  expect(steps[0]!.medianMs).toBeGreaterThanOrEqual(3_600_000);
  const slow = steps.find(({ step }) => step === 'slow')!;
  expect(slow.medianMs).toBeGreaterThanOrEqual(29);
  expect(slow.medianMs).toBeLessThan(3_600_000);
});

test('compensations: jobs that go on behind a failed step, and jobs of undo that failed', async () => {
  const events = await start({
    order: async ({ payload: { n }, step, sleep }) => {
      if (n < 2) await step('charge', () => Promise.reject(new Error('no'))).catch(() => undefined);
      await step('free', () => n);
      await sleep('7d');
    },
    trip: async ({ payload: { n }, child }) => {
      await child(bill, { n }, { name: 'undo seats' }).catch(() => undefined);
      return complete();
    },
    bill: ({ payload: { n } }) => (n === 0 ? bury('no_money', 'None.') : complete()),
  });
  await enqueued(order, 3);
  await events.waitFor('job.snoozed', 3);
  const trips = await enqueued(trip, 2);
  for (const id of trips) await untilJob(database.db, id);
  expect((await stateOf('order')).compensations).toEqual({ running: 2, failed: 0 });
  expect((await stateOf('trip')).compensations).toEqual({ running: 0, failed: 1 });
});

test('each look reads a bounded part of two hundred thousand steps, with statistics of another time', async () => {
  await database.db.$executeRaw`ALTER TABLE duework.job_steps SET (autovacuum_enabled = off)`;
  await database.db.$executeRaw`ANALYZE duework.job_steps`;
  await database.db.$executeRaw`
    INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT n, 'default', 'order', 1, 5, now() + interval '1 day', '{}', 9 FROM generate_series(1, 100000) AS n`;
  await database.db.$executeRaw`
    INSERT INTO duework.job_steps (run_id, name, at, job_type, status, asked_seq, done_seq, fence, began_at)
    SELECT n, s.name, CASE s.status WHEN 'waiting' THEN s.name END, CASE n % 2 WHEN 0 THEN 'order' ELSE 'trip' END, s.status, 1, s.seq, 1, now() - n * interval '1 second'
    FROM generate_series(1, 100000) AS n
    CROSS JOIN (VALUES ('wait for paid', 'waiting', NULL), ('reserve', 'done', 1)) AS s (name, status, seq)`;
  const engine = database.connectPg({ poolSize: 1 });
  const buffers = (act: Parameters<typeof countBuffers>[1]) => countBuffers(engine, act, {});
  // all of them would be 400,000
  expect(await buffers(findWaiting)).toBeLessThan(50_000);
  expect(await buffers(findStepTimes)).toBeLessThan(20_000);
  expect(await buffers(findCompensations)).toBeLessThan(1_000);
  const { places } = await stateOf('order');
  expect(places).toMatchObject([{ step: 'wait for paid', jobs: 10_000, isAtLeast: true }]);
  expect(Date.now() - Number(places[0]!.since)).toBeGreaterThan(99_000_000);
  const { count, isAtLeast } = await countJobs(database.db, places[0]!.filter);
  expect([count, isAtLeast]).toEqual([10_000, true]);
});
