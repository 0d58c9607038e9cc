import { setTimeout as pause } from 'node:timers/promises';
import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueueMany } from '../enqueue/enqueue.js';
import { jobRequest } from '../enqueue/job-request.js';
import { signal } from '../enqueue/signal.js';
import { retryJob } from '../queue/operate.js';
import type { Handler } from '../run/handler.js';
import { complete } from '../settle/outcome.js';
import type { Worker } from '../worker/create-worker.js';

const database = useTestDatabase();
const payload = z.object({ n: z.int() });
const order = defineJob({ type: 'order', payload, durable: true, result: z.array(z.string()) });
const catalog = defineCatalog([order]);
const paid = defineSignal({ name: 'paid', by: ['n'], payload });
const COUNT = 200;

/** An order: some steps before it waits, one of them in a transaction, and some behind that. */
const code =
  (before: readonly string[], behind: readonly string[]): Handler<typeof order> =>
  async ({ payload: { n }, step, waitFor }) => {
    const did: string[] = [];
    for (const name of before) did.push(await step(name, () => name));
    await database.db.$transaction((tx) =>
      step.in(tx, 'book', async (own) => void (await own.$executeRaw`INSERT INTO bookings VALUES (${n}::int)`)),
    );
    await waitFor(paid, { where: { n } });
    for (const name of behind) did.push(await step(name, () => name));
    return complete(did);
  };
const OLD = code(['reserve'], ['send']);
const NEW = code(['reserve'], ['send', 'thank']);
const WRONG = code(['allocate'], ['send', 'thank']);

const workers: Worker[] = [];
const start = async (handler: Handler<typeof order>): Promise<Worker> => {
  const { worker } = await startTestWorker<typeof catalog>(database.db, { catalog, handlers: { order: handler } });
  workers.push(worker);
  return worker;
};
/** One after the other: the new one works before an old one stops. */
const deploy = async (old: readonly Worker[], handler: Handler<typeof order>): Promise<Worker[]> => {
  const fresh: Worker[] = [];
  for (const one of old) {
    fresh.push(await start(handler));
    await one.stop({ deadlineMs: 5_000 });
  }
  return fresh;
};
beforeEach(() => database.db.$executeRaw`CREATE TABLE bookings (n integer NOT NULL)`);
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

const enqueueAll = async (first: number, count: number): Promise<string[]> => {
  const requests = Array.from({ length: count }, (_, place) => jobRequest(order, { n: first + place }));
  return (await enqueueMany(database.db, requests)).map(({ id }) => id);
};
const pay = async (first: number, count: number): Promise<void> => {
  for (let n = first; n < first + count; n++) await signal(database.db, paid, { n });
};
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await pause(20);
};
const waiting = () => database.db.jobStep.count({ where: { status: 'waiting' } });
const live = () => database.db.jobRun.count();
/** How many orders have ended how. */
const ends = () => database.db.$queryRaw`
  SELECT status, error_code AS code, result, count(*)::int AS count FROM duework.job_history GROUP BY 1, 2, 3 ORDER BY 3`;
const bookings = () =>
  database.db.$queryRaw`SELECT count(*)::int AS count, count(DISTINCT n)::int AS orders FROM bookings`;

test('workflows that wait go on with the code of a deploy that does more behind what they have done; one that changes what is done ends each by name, and none is lost', async () => {
  const half = COUNT / 2;
  await enqueueAll(0, COUNT);
  await pay(0, half / 2);
  let running: readonly Worker[] = await Promise.all([start(OLD), start(OLD)]);
  // while some end, some have gone to wait, and some have not begun
  await until(async () => (await waiting()) > half / 2);
  running = await deploy(running, NEW);
  await pay(half / 2, COUNT - half / 2);
  await until(async () => (await live()) === 0);
  const [short, long] = (await ends()) as { count: number }[];
  expect([short, long]).toMatchObject([
    { status: 'succeeded', result: ['reserve', 'send'] },
    { status: 'succeeded', result: ['reserve', 'send', 'thank'] },
  ]);
  expect(short!.count + long!.count).toBe(COUNT);
  expect(long!.count).toBeGreaterThanOrEqual(COUNT - half / 2);
  expect(await bookings()).toEqual([{ count: COUNT, orders: COUNT }]);

  await database.db.$executeRaw`DELETE FROM duework.job_history`;
  const ids = await enqueueAll(COUNT, half);
  await until(async () => (await waiting()) === half);
  running = await deploy(running, WRONG);
  await pay(COUNT, half);
  await until(async () => (await live()) === 0);
  expect(await ends()).toEqual([{ status: 'dead', code: 'steps_changed', result: null, count: half }]);
  const said = await database.db.$queryRaw<{ said: string }[]>`
    SELECT DISTINCT last_error AS said FROM duework.job_history`;
  expect(said).toEqual([{ said: expect.stringContaining('has done the step "reserve"') }]);
  expect(await database.db.jobStep.count({ where: { name: 'allocate' } })).toBe(0);

  await deploy(running, NEW);
  for (const id of ids) await retryJob(database.db, id);
  await until(async () => (await live()) === 0);
  expect(await ends()).toMatchObject([{ status: 'succeeded', result: ['reserve', 'send', 'thank'], count: half }]);
  expect(await bookings()).toEqual([{ count: COUNT + half, orders: COUNT + half }]);
});
