import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { defineCatalog, defineJob } from '@duework/contracts';
import { parseDatabaseUrl } from '@duework/database';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { systemClock } from '../clock.js';
import type { Worker } from '../worker/create-worker.js';
import type { WorkerOptions } from '../worker/worker-options.js';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import type { Handler } from '../run/handler.js';
import { cancelJob, getJob } from '../queue/operate.js';
import { claimRuns } from '../sql/claim/claim-runs.js';
import {
  computeFor,
  type CuttableProxy,
  startCuttableProxy,
  useTestDatabase,
  programPath,
} from '@duework/testing/fixtures';
import { type EventRecord, startTestWorker } from '@duework/testing';
import { heartbeatInThread, startLeaseThread, type HeartbeatThreadOptions } from './heartbeat-in-thread.js';
import { HeldLease } from './lease.js';
import type { Heartbeat, EngineMessage } from './heartbeat.js';

const database = useTestDatabase();
const short = defineJob({ type: 'short', payload: z.object({}), lease: '2s', timeout: '30s' });
const middling = defineJob({ type: 'middling', payload: z.object({}), lease: '4s', timeout: '1m' });
const long = defineJob({ type: 'long', payload: z.object({}), lease: '10m', timeout: '1h' });
const stuck = defineJob({ type: 'stuck', payload: z.object({}), timeout: '500ms', lease: '1s' });
type Contract = typeof short | typeof middling | typeof long | typeof stuck;

/** Quick jobs, after which a worker claims ahead: so many that one during which it stood still does not count. */
const QUICK = Array.from({ length: 60 });

const children: ChildProcess[] = [];
const workers: Worker[] = [];
const heartbeats: Heartbeat[] = [];
const proxies: CuttableProxy[] = [];
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs`;
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  await Promise.all(heartbeats.splice(0).map((heartbeat) => heartbeat.stop()));
  for (const proxy of proxies.splice(0)) proxy.stop();
});

function keep(
  contract: Contract,
  more: Partial<HeartbeatThreadOptions> = {},
  startThread = startLeaseThread,
): Heartbeat {
  return heartbeatInThread(
    { ...parseDatabaseUrl(database.url), catalog: defineCatalog([contract]), ...more },
    startThread,
  );
}

async function start<C extends Contract>(
  contract: C,
  handler: Handler<C>,
  more: Partial<WorkerOptions<readonly [C]>> = {},
): Promise<{ worker: Worker; events: EventRecord }> {
  const catalog = [contract] as const;
  const handlers = { [contract.type]: handler } as unknown as WorkerOptions<readonly [C]>['handlers'];
  const started = await startTestWorker<readonly [C]>(database.db, {
    catalog,
    handlers,
    leases: keep(contract),
    ...more,
  });
  workers.push(started.worker);
  return started;
}

/** Resolves when the handler's signal aborts, with the reason. */
const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

async function lockedUntil(id: string): Promise<number> {
  return (await getJob(database.db, id)).job.lockedUntil!.getTime();
}

test('a handler that computes for longer than its lease keeps it', async () => {
  const rescuer = fork(programPath('rescue-until-killed.mjs'), [database.url]);
  children.push(rescuer);
  const looks: { readonly rescued: readonly string[] }[] = [];
  rescuer.on('message', (look: { rescued: string[] }) => looks.push(look));
  await once(rescuer, 'message');

  const { events } = await start(short, () => computeFor(5_000));
  const { id } = await enqueue(database.db, short, {});
  await events.waitFor('job.succeeded');
  const before = looks.length;
  await once(rescuer, 'message');
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1, fence: 1 });
  expect(looks.flatMap((look) => look.rescued)).toEqual([]);
  expect(looks.length).toBeGreaterThan(before);
  expect(events.named('lease.lost')).toEqual([]);
});

test('a handler that blocks the event loop for good loses its lease at its time limit, and the runs that waited behind it are lost too', async () => {
  const quick = await enqueueMany(
    database.db,
    QUICK.map(() => jobRequest(stuck, {})),
  );
  const program = [programPath('block-for-ever.mjs'), database.url, String(QUICK.length)];
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  for (const _ of quick) await lines.next();
  // a loop that blocks before the settlement is out would lose that one too
  for (const { id } of quick) while ((await getJob(database.db, id)).job.status !== 'succeeded');
  const jobs = await enqueueMany(database.db, [jobRequest(stuck, {}), jobRequest(stuck, {})]);
  const { value: blocking } = await lines.next();

  const { events } = await start(stuck, () => {}, { maintenance: { rescueIntervalMs: 50 } });
  await events.waitFor('job.succeeded', 2);
  for (const { id } of jobs) {
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(attempts).toMatchObject([{ outcome: 'lost', worker: 'stuck' }]);
    // its limit, its grace, and a lease for the settlement
    if (id === blocking)
      expect(job.claimedAt!.getTime() - attempts[0]!.claimedAt.getTime()).toBeGreaterThan(500 + 100 + 1_000);
  }
});

test('a run that was lost while it waited behind a blocked loop is not started', async () => {
  const started: string[] = [];
  const { events } = await start(
    short,
    ({ run, attempt }) => {
      started.push(`${run.id} ${attempt}`);
      if (started.length === QUICK.length + 1) computeFor(6_000);
    },
    { concurrency: 1, buffer: 1, maintenance: { rescueIntervalMs: 50 } },
  );
  await enqueueMany(
    database.db,
    QUICK.map(() => jobRequest(short, {})),
  );
  await events.waitFor('job.succeeded', QUICK.length);
  const [first, second] = await enqueueMany(database.db, [jobRequest(short, {}), jobRequest(short, {})]);
  await Promise.race([events.waitFor('lease.lost'), events.waitFor('job.succeeded', QUICK.length + 2)]);
  expect(events.named('lease.lost')).toMatchObject([{ during: 'heartbeat', run: { id: second!.id } }]);
  await events.waitFor('job.succeeded', QUICK.length + 2);
  // `lost` is sent a little before the lease is over in the database; and what a rescue wakes may end before the
  // rescue's own answer is here
  await events.waitFor('run.rescued');
  expect(events.named('run.rescued')).toMatchObject([{ rescued: { id: second!.id, attempt: 1 } }]);
  expect(started.slice(QUICK.length)).toEqual([`${first!.id} 1`, `${second!.id} 2`]);
});

test('a cancel from another process reaches a running handler at once', async () => {
  // the next heartbeat would be in an hour
  const { events } = await start(
    long,
    async ({ signal }) => {
      throw await aborted(signal);
    },
    { leases: keep(long, { intervalMs: 3_600_000 }) },
  );
  const { id } = await enqueue(database.db, long, {});
  await events.waitFor('job.claimed');
  expect(await cancelJob(database.connect(), id, { by: 'ada' })).toBe('requested');
  await events.waitFor('job.cancelled');
});

test('without NOTIFY the next heartbeat finds a request to cancel', async () => {
  const { events } = await start(
    long,
    async ({ signal }) => {
      throw await aborted(signal);
    },
    { leases: keep(long, { isPooled: true }) },
  );
  const listening = await database.db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE application_name IN ('duework leases', 'duework wake-ups') AND datname = current_database() AND query LIKE 'LISTEN%'`;
  expect(listening).toEqual([{ count: 0 }]);
  const { id } = await enqueue(database.db, long, {});
  await events.waitFor('job.claimed');
  expect(await cancelJob(database.connect(), id, { by: 'ada' })).toBe('requested');
  await events.waitFor('job.cancelled');
});

test('a run that ends while a heartbeat is on its way is not reported as lost', async () => {
  const heartbeat = keep(long, { intervalMs: 50 });
  heartbeats.push(heartbeat);
  const messages: EngineMessage[] = [];
  let hear = (): void => {};
  await heartbeat.start('tester', (message) => {
    messages.push(message);
    hear();
  });
  await enqueueMany(database.db, [jobRequest(long, {}), jobRequest(long, {})]);
  const { runs } = await claimRuns(database.db, {
    queue: 'default',
    contracts: new Map([[long.type, long]]),
    worker: 'tester',
    limit: 2,
  });
  // more than a third of each is over, so that a heartbeat renews it
  const [ended, kept] = runs.map(
    ({ id, fence }) => new HeldLease(id, fence, long.leaseMs, systemClock.monotonicMs() - long.leaseMs / 2),
  );
  const locking = new pg.Client({ connectionString: database.url });
  await locking.connect();
  await locking.query('BEGIN');
  await locking.query('LOCK TABLE duework.job_runs IN ACCESS EXCLUSIVE MODE');
  for (const lease of [ended!, kept!]) heartbeat.hold(lease);
  const isAsked = async (): Promise<boolean> =>
    (
      await database.db.$queryRaw<unknown[]>`
    SELECT FROM pg_stat_activity WHERE application_name = 'duework leases' AND datname = current_database() AND wait_event_type = 'Lock'`
    ).length > 0;
  while (!(await isAsked()));
  await locking.query('DELETE FROM duework.job_runs WHERE id = $1', [ended!.id]);
  heartbeat.letGo(ended!);
  await locking.query('COMMIT');
  await locking.end();
  const told = (id: string): EngineMessage[] => messages.filter((message) => 'id' in message && message.id === id);
  while (told(kept!.id).length === 0) await new Promise<void>((resolve) => (hear = resolve));
  expect(told(kept!.id)[0]).toMatchObject({ kind: 'extended' });
  expect(told(ended!.id)).toEqual([]);
});

test('a connection that is silently cut is found, and its leases are lost before another worker may have the runs', async () => {
  const proxy = await startCuttableProxy(database.url);
  proxies.push(proxy);
  let told: { reason: unknown; atMs: number } | null = null;
  const { events } = await start(
    middling,
    async ({ signal, attempt }) => {
      if (attempt > 1) return;
      const reason = await aborted(signal);
      told = { reason, atMs: performance.now() };
      throw reason;
    },
    { leases: keep(middling, parseDatabaseUrl(proxy.url)) },
  );
  const { id } = await enqueue(database.db, middling, {});
  await events.waitFor('job.claimed');
  proxy.cut();
  const [failed] = await events.waitFor('database.failed');
  expect(failed).toMatchObject({ during: 'heartbeat', error: { code: 'ETIMEDOUT' } });
  await events.waitFor('lease.lost');
  const [clock] = await database.db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  expect(told).toMatchObject({ reason: { code: 'lease_lost' } });
  const nowWhenTold = clock.now.getTime() - (performance.now() - told!.atMs);
  expect(await lockedUntil(id)).toBeGreaterThan(nowWhenTold);

  proxy.mend();
  await events.waitFor('database.recovered');
  await events.waitFor('job.succeeded');
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 2 });
});

test('a lease thread that dies is replaced, its leases are extended further, and its worker claims again', async () => {
  const threads: ReturnType<typeof startLeaseThread>[] = [];
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const { events } = await start(middling, () => finished, {
    leases: keep(middling, {}, (data) => {
      threads.push(startLeaseThread(data));
      return threads.at(-1)!;
    }),
  });
  const { id } = await enqueue(database.db, middling, {});
  await events.waitFor('job.claimed');
  const until = await lockedUntil(id);
  await threads[0]!.terminate();
  await events.waitFor('database.recovered');
  expect(threads).toHaveLength(2);
  while ((await lockedUntil(id)) === until);
  finish();
  await events.waitFor('job.succeeded');
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
  // and it claims again
  await enqueue(database.db, middling, {});
  await events.waitFor('job.succeeded', 2);
});

test('a thread that dies in a start that is given up is not replaced in the next one', async () => {
  const intervalMs = 2_000;
  const threads: ReturnType<typeof startLeaseThread>[] = [];
  const heartbeat = keep(short, { intervalMs }, (data) => {
    threads.push(startLeaseThread(data));
    return threads.at(-1)!;
  });
  heartbeats.push(heartbeat);
  await heartbeat.start('once', () => {});
  const died = once(threads[0]!, 'exit');
  await threads[0]!.terminate();
  await died;
  // timers of one length end in their order: the one that would replace it has ended before this
  const replaced = new Promise((resolve) => setTimeout(resolve, intervalMs));
  await heartbeat.stop();
  await heartbeat.start('again', () => {});
  await replaced;
  expect(threads).toHaveLength(2);
});

test('a worker that cannot reach its database fails at the start', async () => {
  const nobody = new URL(database.url);
  nobody.port = '1';
  const heartbeat = keep(long, { url: nobody.toString() });
  await expect(heartbeat.start('tester', () => {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
