import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTestWorker } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { z } from 'zod';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { rateLimited, retry } from '../settle/outcome.js';
import type { Handlers, Worker } from '../index.js';

const payload = z.object({ n: z.int(), account: z.int() });
const base = { payload, retry: fixed('1ms'), lease: '2s' as const, maxAttempts: 3 };
const mail = defineJob({
  ...base,
  type: 'mail',
  limits: [
    { name: 'smtp', max: 3 },
    { by: 'account', max: 1 },
  ],
});
const book = defineJob({ ...base, type: 'book', order: 'account' });
const call = defineJob({ ...base, type: 'call', rate: { max: 50, per: '1s', burst: 1 } });
const shared = defineJob({ ...base, type: 'shared', tenant: 'account' });
const fragile = defineJob({ ...base, type: 'fragile', maxAttempts: 5, breaker: { share: 0.5, of: 4, pause: '100ms' } });
const catalog = defineCatalog([mail, book, call, shared, fragile]);
type Done = { readonly type: string; readonly n: number; readonly account: number };

const database = useTestDatabase();
const workers: Worker[] = [];
let done: Done[] = [];
let running = new Map<string, number>();
let most = new Map<string, number>();
const never = (): boolean => false;
let refuse: (attempt: number) => boolean = never;
let fail: (attempt: number) => boolean = never;

beforeEach(async () => {
  done = [];
  running = new Map();
  most = new Map();
  refuse = fail = never;
  await emptyTables(database.db, 'job_runs, flow_keys, flow_waits, flow_looks, flow_turns');
  await registerDefinitions(database.db, catalog);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

const count = (key: string, by: number): void => {
  running.set(key, (running.get(key) ?? 0) + by);
  most.set(key, Math.max(most.get(key) ?? 0, running.get(key)!));
};
/** Notes how many of a type, and of a type's account, run at once. */
async function observe(type: string, { n, account }: { n: number; account: number }): Promise<void> {
  for (const key of [type, `${type} ${account}`]) count(key, 1);
  await new Promise((resolve) => setTimeout(resolve, 2));
  for (const key of [type, `${type} ${account}`]) count(key, -1);
  done.push({ type, n, account });
}
const handlers: Handlers<typeof catalog> = {
  mail: ({ payload }) => observe('mail', payload),
  book: async ({ payload, attempt }) => {
    if (payload.n % 7 === 3 && attempt === 1) return retry('not yet');
    await observe('book', payload);
  },
  call: async ({ payload, attempt }) => {
    if (refuse(attempt)) return rateLimited({ retryAfter: '300ms' });
    await observe('call', payload);
  },
  fragile: async ({ payload, attempt }) => {
    if (fail(attempt)) throw new Error('away');
    await observe('fragile', payload);
  },
  shared: ({ payload }) => observe('shared', payload),
};
async function startWorkers(howMany: number, concurrency = 20): Promise<void> {
  for (let i = 0; i < howMany; i++)
    workers.push((await startTestWorker<typeof catalog>(database.db, { catalog, handlers, concurrency })).worker);
}
async function untilDone(total: number): Promise<void> {
  while (done.length < total) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('two limits hold over two workers, and all runs end', async () => {
  await enqueueMany(
    database.db,
    Array.from({ length: 60 }, (_, n) => jobRequest(mail, { n, account: n % 6 })),
  );
  await startWorkers(2);
  await untilDone(60);
  expect(most.get('mail')).toBe(3);
  for (let account = 0; account < 6; account++) expect(most.get(`mail ${account}`)).toBe(1);
});

test('an order runs the runs of a key one at a time as they were enqueued, and waits for a failed one', async () => {
  for (let n = 0; n < 40; n++) await enqueue(database.db, book, { n, account: n % 2 });
  await startWorkers(2);
  await untilDone(40);
  for (const account of [0, 1]) {
    const order = done.filter((run) => run.account === account).map(({ n }) => n);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(most.get(`book ${account}`)).toBe(1);
  }
});

test('a rate starts no more than it says', async () => {
  await enqueueMany(
    database.db,
    Array.from({ length: 60 }, (_, n) => jobRequest(call, { n, account: 0 })),
  );
  const beganMs = performance.now();
  await startWorkers(2);
  await untilDone(60);
  // 50 a second, of which so many may start at once as fit between two looks
  expect(performance.now() - beganMs).toBeGreaterThan(((60 - 4) / 50) * 1_000);
});

test('a tenant with many runs delays the first run of another by one turn', async () => {
  await enqueueMany(
    database.db,
    Array.from({ length: 300 }, (_, n) => jobRequest(shared, { n, account: 1 })),
  );
  await enqueue(database.db, shared, { n: 1000, account: 2 });
  await startWorkers(1, 5);
  await untilDone(301);
  expect(done.findIndex(({ n }) => n === 1000)).toBeLessThan(60);
});

test('a handler that is told to come back later shuts its rate for all, uncharged, and all runs end', async () => {
  let refusals = 3;
  const attempts: number[] = [];
  const begun: number[] = [];
  const told: number[] = [];
  refuse = (attempt) => {
    attempts.push(attempt);
    begun.push(performance.now());
    if (refusals === 0) return false;
    refusals--;
    told.push(performance.now());
    return true;
  };
  await enqueueMany(
    database.db,
    Array.from({ length: 20 }, (_, n) => jobRequest(call, { n, account: 0 })),
  );
  // with one slot nothing else is on its way when a handler is told
  await startWorkers(1, 1);
  await untilDone(20);
  expect(new Set(attempts)).toEqual(new Set([1]));
  expect(begun).toHaveLength(23);
  for (const at of told) expect(begun.filter((other) => other > at && other < at + 200)).toEqual([]);
});

test('a breaker opens, tries one run at a time, uncharged, and opens again', async () => {
  let isDown = true;
  const attempts: number[] = [];
  fail = (attempt) => {
    attempts.push(attempt);
    return isDown;
  };
  await enqueueMany(
    database.db,
    Array.from({ length: 30 }, (_, n) => jobRequest(fragile, { n, account: 0 })),
  );
  await startWorkers(2, 2);
  const isOpen = async (): Promise<boolean> =>
    (await database.db.$queryRaw<unknown[]>`SELECT FROM duework.flow_keys WHERE is_trying`).length > 0;
  while (!(await isOpen()));
  const before = attempts.length;
  while (attempts.length < before + 4) await new Promise((resolve) => setTimeout(resolve, 5));
  isDown = false;
  await untilDone(30);
  expect(await isOpen()).toBe(false);
  // 4 attempts open it, of which as many may be on their way as there are slots
  expect(Math.max(...attempts)).toBeLessThanOrEqual(3);
  expect(await database.db.$queryRaw`SELECT status FROM duework.job_history_dead`).toEqual([]);
});
