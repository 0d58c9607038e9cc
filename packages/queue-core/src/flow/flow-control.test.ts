import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { z } from 'zod';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { retry } from '../run/outcome.js';
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
const catalog = defineCatalog([mail, book, call, shared]);
type Done = { readonly type: string; readonly n: number; readonly account: number };

const database = useTestDatabase();
const workers: Worker[] = [];
let done: Done[] = [];
let running = new Map<string, number>();
let most = new Map<string, number>();

beforeEach(async () => {
  done = [];
  running = new Map();
  most = new Map();
  await database.db
    .$executeRaw`TRUNCATE duework.job_runs, duework.flow_keys, duework.flow_waits, duework.flow_looks, duework.flow_turns`;
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
  call: ({ payload }) => observe('call', payload),
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
