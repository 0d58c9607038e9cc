import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startTestWorker } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { z } from 'zod';
import { acknowledgeJob } from '../queue/operate.js';
import { enqueue } from '../enqueue/enqueue.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { bury, retry } from '../settle/outcome.js';
import type { Handlers, Worker } from '../index.js';

const base = { payload: z.object({ n: z.int(), account: z.int() }), retry: fixed('1h'), maxAttempts: 3 };
const plain = defineJob({ ...base, type: 'plain', order: 'account' });
const stepping = defineJob({ ...base, type: 'stepping', order: { by: 'account', onFailure: 'step_over' } });
const blocking = defineJob({ ...base, type: 'blocking', order: { by: 'account', onDead: 'block' } });
const catalog = defineCatalog([plain, stepping, blocking]);

const database = useTestDatabase();
const workers: Worker[] = [];
let done: string[] = [];
let mostAtOnce = 0;

beforeEach(async () => {
  done = [];
  mostAtOnce = 0;
  await emptyTables(database.db, 'job_runs, job_history, flow_keys, flow_waits, flow_looks');
  await registerDefinitions(database.db, catalog);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

let atOnce = 0;
async function run({ n, account }: { readonly n: number; readonly account: number }): Promise<void> {
  mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
  await new Promise((resolve) => setTimeout(resolve, 2));
  atOnce -= 1;
  done.push(`${account}.${n}`);
}
/** The first of an account is given up, or fails and is to be tried again in an hour. */
const handlers: Handlers<typeof catalog> = {
  plain: ({ payload }) => (payload.n === 0 && payload.account === 1 ? bury('away', 'It is gone.') : run(payload)),
  stepping: ({ payload }) => (payload.n === 0 ? retry('not yet') : run(payload)),
  blocking: ({ payload }) => (payload.n === 0 ? bury('away', 'It is gone.') : run(payload)),
};
async function startWorkers(howMany: number): Promise<void> {
  for (let i = 0; i < howMany; i++)
    workers.push((await startTestWorker<typeof catalog>(database.db, { catalog, handlers })).worker);
}
async function untilDone(total: number): Promise<void> {
  while (done.length < total) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('an order that steps over a failed run goes on behind it, one at a time and in order', async () => {
  for (let n = 0; n < 6; n++) await enqueue(database.db, stepping, { n, account: 1 });
  await startWorkers(2);
  await untilDone(5);
  expect(done).toEqual(['1.1', '1.2', '1.3', '1.4', '1.5']);
  expect(mostAtOnce).toBe(1);
  // the last one has been done, and is settled a moment later
  while ((await database.db.jobRun.count()) > 1);
  expect(await database.db.jobRun.findMany({ select: { status: true, attempts: true } })).toEqual([
    { status: 'failed', attempts: 1 },
  ]);
});

test('a dead run lets those behind it go, unless its contract says otherwise', async () => {
  for (let n = 0; n < 4; n++) await enqueue(database.db, plain, { n, account: 1 });
  await startWorkers(2);
  await untilDone(3);
  expect(done).toEqual(['1.1', '1.2', '1.3']);
});

test('a dead run keeps its order shut until somebody acknowledges it, and other keys go on', async () => {
  const { id } = await enqueue(database.db, blocking, { n: 0, account: 1 });
  for (let n = 1; n < 4; n++) await enqueue(database.db, blocking, { n, account: 1 });
  for (let n = 1; n < 10; n++) await enqueue(database.db, blocking, { n, account: 2 });
  await startWorkers(2);
  await untilDone(9);
  while ((await database.db.jobHistory.count({ where: { status: 'dead' } })) === 0);
  // whoever comes later is looked at, and let in no more than they
  await enqueue(database.db, blocking, { n: 4, account: 1 });
  await enqueue(database.db, blocking, { n: 10, account: 2 });
  await untilDone(10);
  expect(done.filter((key) => key.startsWith('1.'))).toEqual([]);
  await acknowledgeJob(database.db, id);
  await untilDone(14);
  expect(done.slice(10)).toEqual(['1.1', '1.2', '1.3', '1.4']);
});

test('a run with a delay joins its order when it is due, and nobody waits for it before', async () => {
  await enqueue(database.db, plain, { n: 9, account: 2 }, { delay: '1s' });
  for (let n = 1; n < 4; n++) await enqueue(database.db, plain, { n, account: 2 });
  await startWorkers(1);
  await untilDone(4);
  expect(done).toEqual(['2.1', '2.2', '2.3', '2.9']);
});
