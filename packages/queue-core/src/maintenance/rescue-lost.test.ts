import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { defineCatalog, defineJob } from '@duework/contracts';
import { connectPg, parseDatabaseUrl, type PgClient } from '@duework/database';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Worker } from '../worker/create-worker.js';
import type { WorkerOptions } from '../worker/worker-options.js';
import { heartbeatInThread, type HeartbeatThreadOptions } from '../leases/heartbeat-in-thread.js';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import type { Handler } from '../run/handler.js';
import { getJob } from '../queue/operate.js';
import { RESCUE, type LostLook } from '../ports/upkeep.js';
import { lookForLost, takeChores } from '../sql/upkeep/take-chores.js';
import { rescueRuns } from '../sql/leases/rescue-runs.js';
import { createPostgresStore } from '../store/postgres-store.js';
import type { Store } from '../ports/store.js';
import { type CuttableProxy, startCuttableProxy, useTestDatabase, programPath } from '@duework/testing/fixtures';
import { type EventRecord, startTestWorker } from '@duework/testing';
import { GRACE_MS } from './absences.js';

const database = useTestDatabase();
/** Nothing here waits for the end of such a lease. */
const long = defineJob({ type: 'long', payload: z.object({}), lease: '10m', timeout: '1h' });
const catalog = defineCatalog([long]);

const children: ChildProcess[] = [];
const workers: Worker[] = [];
const clients: PgClient[] = [];
const proxies: CuttableProxy[] = [];
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.workers, duework.chores`;
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  await Promise.all(clients.splice(0).map((client) => client.$disconnect()));
  for (const proxy of proxies.splice(0)) proxy.stop();
});

const keep = (more: Partial<HeartbeatThreadOptions> = {}) =>
  heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog, ...more });

async function start(
  name: string,
  handler: Handler<typeof long>,
  more: Partial<WorkerOptions<typeof catalog>> = {},
): Promise<{ worker: Worker; events: EventRecord }> {
  const started = await startTestWorker<typeof catalog>(database.db, {
    name,
    catalog,
    handlers: { long: handler },
    leases: keep(),
    ...more,
  });
  workers.push(started.worker);
  return started;
}

/** A worker process that has begun `count` runs and will never end one. */
async function startHolder(name: string, count: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [programPath('hold-for-ever.mjs'), database.url, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface(child.stdout);
  await new Promise<void>((resolve) => {
    let begun = 0;
    lines.on('line', () => ++begun === count && resolve());
  });
  return child;
}

/** A handler that ends when the test says so, or earlier on its signal. */
function holdRun(): { handler: Handler<typeof long>; finish: () => void } {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  return {
    finish: () => finish(),
    handler: ({ signal }) =>
      Promise.race([
        finished,
        new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      ]),
  };
}

/** A worker that rescues and claims nothing, and whose checks are recorded. */
async function startRescuer(
  maintenance: WorkerOptions<typeof catalog>['maintenance'] = { rescueIntervalMs: 50 },
): Promise<{ events: EventRecord; looks: LostLook[]; nextLook: () => Promise<void> }> {
  const looks: LostLook[] = [];
  const watchers: (() => void)[] = [];
  const store = createPostgresStore({ db: database.connect({ poolSize: 2 }) });
  const watched: Store = {
    ...store,
    async takeChores(asked) {
      const chores = await store.takeChores(asked);
      if (chores.lost !== null) looks.push(chores.lost);
      for (const watch of watchers.splice(0)) watch();
      return chores;
    },
  };
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    name: 'rescuer',
    catalog,
    handlers: { long: () => {} },
    queues: ['nothing'],
    store: watched,
    maintenance: maintenance ?? {},
  });
  workers.push(worker);
  return { events, looks, nextLook: () => new Promise((resolve) => watchers.push(resolve)) };
}

async function now(): Promise<number> {
  const [row] = await database.db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  return row.now.getTime();
}

const registered = async (): Promise<string[]> =>
  (await database.db.registeredWorker.findMany()).map(({ name }) => name);

test('the runs of a worker that was killed start again within 5 s, long before their lease ends', async () => {
  const jobs = await enqueueMany(database.db, [jobRequest(long, {}), jobRequest(long, {}), jobRequest(long, {})]);
  const child = await startHolder('first', jobs.length);
  const { events } = await start('second', () => {});
  const killedAt = await now();
  child.kill('SIGKILL');
  await events.waitFor('job.succeeded', jobs.length);
  for (const { id } of jobs) {
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({ status: 'succeeded', attempts: 2, worker: 'second' });
    expect(attempts).toMatchObject([{ outcome: 'lost', worker: 'first', errorCode: 'worker_lost' }]);
    const tookMs = job.claimedAt!.getTime() - killedAt;
    expect(tookMs).toBeGreaterThan(GRACE_MS);
    // 4.7 s at the worst by its clock, and what a machine that runs many tests at once makes of it; the lease has ten minutes left
    expect(tookMs).toBeLessThan(10_000);
  }
  await events.waitFor('worker.vanished');
  expect(events.named('worker.vanished')).toMatchObject([{ worker: 'second', vanished: 'first' }]);
  expect(await registered()).toEqual(['second']);
});

test('the runs of a worker start again within 5 s, although all are killed with it that have looked for lost work so far', async () => {
  const { id } = await enqueue(database.db, long, {});
  await startHolder('first', 1);
  void startHolder('third', 1);
  while ((await registered()).length < 2);
  const { events } = await start('second', () => {});
  const killedAt = await now();
  for (const child of children) child.kill('SIGKILL');
  await events.waitFor('job.succeeded');
  // 4.7 s at the worst by its clock, and what a machine that runs many tests at once makes of it
  expect((await getJob(database.db, id)).job.claimedAt!.getTime() - killedAt).toBeLessThan(10_000);
});

test('who has seen that a worker is missing looks until it is sure, whoever else looks meanwhile', async () => {
  await enqueue(database.db, long, {});
  const child = await startHolder('first', 1);
  const rescuer = await startRescuer({ rescueIntervalMs: 60_000 });
  child.kill('SIGKILL');
  // the first period of the rescuer is over, and the next one is far
  while (!rescuer.looks.some(({ missing }) => missing.includes('first'))) {
    await database.db.$executeRaw`UPDATE duework.chores SET taken_at = '2000-01-01' WHERE name = 'rescue'`;
    await rescuer.nextLook();
  }
  const state = { isOver: false };
  const rescued = rescuer.events.waitFor('worker.vanished').finally(() => (state.isOver = true));
  while (!state.isOver) await takeChores(database.db, [{ name: RESCUE, everyMs: 0 }]);
  expect(await rescued).toMatchObject([{ worker: 'rescuer', vanished: 'first' }]);
});

test('a worker whose backends are all terminated keeps its runs', async () => {
  const db = connectPg({ url: database.url, poolSize: 2, applicationName: 'kept' });
  clients.push(db);
  const { handler, finish } = holdRun();
  const { events } = await start('kept', handler, {
    store: createPostgresStore({ db }),
    maintenance: { rescueIntervalMs: 3_600_000 },
  });
  const { id } = await enqueue(database.db, long, {});
  await events.waitFor('job.claimed');
  const rescuer = await startRescuer();

  // again as soon as the rescuer has seen it back, for longer than anybody would be missing and not be judged
  const startedMs = performance.now();
  while (performance.now() - startedMs < 2 * GRACE_MS) {
    await database.db
      .$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name IN ('kept', 'duework leases') AND datname = current_database()`;
    do await rescuer.nextLook();
    while (rescuer.looks.at(-1)!.missing.length > 0);
  }
  expect(rescuer.looks.flatMap(({ missing }) => missing)).toContain('kept');
  expect(rescuer.events.named('run.rescued')).toEqual([]);
  expect(rescuer.events.named('worker.vanished')).toEqual([]);
  finish();
  await events.waitFor('job.succeeded');
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1, fence: 1 });
  expect(await registered()).toEqual(['kept']);
});

test('a worker that was cut off and taken for dead comes back, is told what it has lost, and registers anew', async () => {
  const proxy = await startCuttableProxy(database.url);
  proxies.push(proxy);
  const { handler, finish } = holdRun();
  const { events } = await start('cut off', handler, {
    leases: keep({ ...parseDatabaseUrl(proxy.url), answerLimitMs: 500 }),
    maintenance: { rescueIntervalMs: 3_600_000 },
  });
  const { id } = await enqueue(database.db, long, {});
  await events.waitFor('job.claimed');
  proxy.cut();
  await database.db
    .$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'duework leases' AND datname = current_database()`;
  // it knows that its session is away, and claims nothing: what it claimed would be taken away again, the attempt charged
  await events.waitFor('database.failed');
  const rescuer = await startRescuer();
  await rescuer.events.waitFor('worker.vanished');
  expect(rescuer.events.named('run.rescued')).toMatchObject([{ rescued: { id, worker: 'cut off', status: 'failed' } }]);
  expect(await registered()).toEqual([]);
  await rescuer.nextLook();
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'failed', attempts: 1 });
  proxy.mend();
  while ((await registered()).length === 0);
  // this worker is the only one that claims: it got the run again, and its first attempt was aborted
  expect(await events.waitFor('lease.lost')).toMatchObject([{ run: { id, fence: 1 } }]);
  finish();
  expect(await events.waitFor('job.succeeded')).toMatchObject([{ run: { id, fence: 2 } }]);
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 2, fence: 2 });
});

/** As a step of the database's clock does it: everything it has written was written an hour earlier. */
async function stepForward(): Promise<void> {
  await database.db
    .$executeRaw`UPDATE duework.job_runs SET locked_until = locked_until - interval '1 hour' WHERE status = 'running'`;
}

test('a lease that has run out by a step of the database’s clock is not taken from a worker that is alive', async () => {
  await enqueueMany(
    database.db,
    Array.from({ length: 6 }, () => jobRequest(long, {})),
  );
  // by its own clock it would renew a lease after 200 s
  await startHolder('first', 6);
  const rescuer = await startRescuer();
  for (let step = 0; step < 3; step++) {
    await stepForward();
    await rescuer.nextLook();
    while (rescuer.looks.at(-1)!.hasExpired) await rescuer.nextLook();
  }
  const startedMs = performance.now();
  while (performance.now() - startedMs < 1.5 * GRACE_MS) await rescuer.nextLook();
  expect(rescuer.looks.some(({ hasExpired }) => hasExpired)).toBe(true);
  expect(rescuer.events.named('run.rescued')).toEqual([]);
  expect(await database.db.jobRun.findMany({ where: { status: 'running', attempts: 1, fence: 1 } })).toHaveLength(6);
});

test('the lease of a frozen worker, whose session lives, is taken within 5 s of its end', async () => {
  const { id } = await enqueue(database.db, long, {});
  const child = await startHolder('frozen', 1);
  const rescuer = await startRescuer({});
  child.kill('SIGSTOP');
  await stepForward();
  const endedAt = await now();
  expect(await rescuer.events.waitFor('run.rescued')).toMatchObject([{ rescued: { id, worker: 'frozen' } }]);
  expect(rescuer.looks.flatMap(({ missing }) => missing)).toEqual([]);
  const tookMs = (await getJob(database.db, id)).job.failedAt!.getTime() - endedAt;
  expect(tookMs).toBeGreaterThan(GRACE_MS);
  // 4.7 s at the worst by its clock, and what a machine that runs many tests at once makes of it
  expect(tookMs).toBeLessThan(10_000);
});

test('a worker that finds itself missing does not judge itself', async () => {
  // its leases are extended through its store, so that no session holds the lock that this row names
  await database.db.registeredWorker.create({ data: { name: 'rescuer' } });
  const rescuer = await startRescuer();
  const startedMs = performance.now();
  while (performance.now() - startedMs < 1.5 * GRACE_MS) await rescuer.nextLook();
  expect(rescuer.looks.every(({ missing }) => missing.includes('rescuer'))).toBe(true);
  expect(rescuer.events.named('worker.vanished')).toEqual([]);
  expect(await registered()).toEqual(['rescuer']);
});

test('a worker behind a pooler is not judged by its session', async () => {
  // as if it had been killed before, without a pooler
  await database.db.registeredWorker.create({ data: { name: 'pooled' } });
  const { handler, finish } = holdRun();
  const { events } = await start('pooled', handler, { leases: keep({ isPooled: true }) });
  const { id } = await enqueue(database.db, long, {});
  await events.waitFor('job.claimed');
  expect(await registered()).toEqual([]);
  expect((await lookForLost(database.db)).lost).toEqual({ hasExpired: false, missing: [] });
  expect(await rescueRuns(database.db, 10, { workers: ['pooled'] })).toEqual([]);
  const locks = await database.db
    .$queryRaw`SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  expect(locks).toEqual([]);
  finish();
  await events.waitFor('job.succeeded');
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
});

test('a worker that stops gracefully leaves no row behind', async () => {
  const { worker } = await start('leaving', () => {});
  expect(await registered()).toEqual(['leaving']);
  await worker.stop({ deadlineMs: 0 });
  expect(await registered()).toEqual([]);
});
