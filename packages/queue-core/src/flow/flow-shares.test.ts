import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTestWorker } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { z } from 'zod';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import type { Handlers, Worker } from '../index.js';

const payload = z.object({ n: z.int(), customer: z.int(), weight: z.int() });
const base = { payload, retry: fixed('1ms') };
const heavy = defineJob({ ...base, type: 'heavy', limits: [{ max: 4, cost: 'weight' }] });
const order = defineJob({ ...base, type: 'order', queue: 'orders', tenant: { by: 'customer', weight: 'weight' } });
const urgent = defineJob({ ...base, type: 'urgent', queue: 'mixed', priority: 0 });
const patient = defineJob({ ...base, type: 'patient', queue: 'mixed', priority: 9, maxWait: '1s' });
const catalog = defineCatalog([heavy, order, urgent, patient]);
type Payload = z.infer<typeof payload>;

const database = useTestDatabase();
const workers: Worker[] = [];
let done: Payload[] = [];
let running = 0;
let most = 0;

beforeEach(async () => {
  done = [];
  running = most = 0;
  await emptyTables(database.db, 'job_runs, flow_keys, flow_waits, flow_looks, flow_turns');
  await registerDefinitions(database.db, catalog);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

const run = async (given: Payload, units = 1): Promise<void> => {
  most = Math.max(most, (running += units));
  await new Promise((resolve) => setTimeout(resolve, 5));
  running -= units;
  done.push(given);
};
const handlers: Handlers<typeof catalog> = {
  // one that needs more than there is takes all of it
  heavy: ({ payload: given }) => run(given, Math.min(given.weight, 4)),
  order: ({ payload: given }) => run(given),
  urgent: ({ payload: given }) => run(given),
  patient: ({ payload: given }) => run(given),
};
async function startWorker(queue: string, concurrency: number): Promise<void> {
  const { worker } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers,
    concurrency,
    queues: [queue],
  });
  workers.push(worker);
}
async function untilDone(total: number): Promise<void> {
  while (done.length < total) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a run takes as many of a limit as it costs, one that costs more than all of it runs alone, and none starves', async () => {
  await enqueueMany(
    database.db,
    Array.from({ length: 60 }, (_, n) => jobRequest(heavy, { n, customer: 0, weight: 1 + (n % 5) })),
  );
  await startWorker('default', 10);
  await startWorker('default', 10);
  await untilDone(60);
  expect(most).toBe(4);
});

test('a tenant of weight 3 has three turns where another has one', async () => {
  const of = (customer: number, weight: number) =>
    Array.from({ length: 120 }, (_, n) => jobRequest(order, { n, customer, weight }));
  await enqueueMany(database.db, [...of(1, 1), ...of(2, 3)]);
  await startWorker('orders', 4);
  await untilDone(240);
  const first = done.slice(0, 120).filter(({ customer }) => customer === 2).length;
  // 90 of 120, but for those that are on their way at once
  expect(first).toBeGreaterThanOrEqual(80);
  expect(first).toBeLessThanOrEqual(100);
});

test('a run that has waited for longer than maxWait is taken before more urgent ones that came later', async () => {
  await enqueue(database.db, patient, { n: -1, customer: 0, weight: 1 });
  await enqueueMany(
    database.db,
    Array.from({ length: 1_000 }, (_, n) => jobRequest(urgent, { n, customer: 0, weight: 1 })),
  );
  await startWorker('mixed', 1);
  while (!done.some(({ n }) => n === -1)) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(done.findIndex(({ n }) => n === -1)).toBeLessThan(1_000);
});
