import { setTimeout as delay } from 'node:timers/promises';
import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { connectPg, describeDatabaseError, type PgClient } from '@duework/database';
import { enqueue } from '@duework/queue-core';
import { failOver, gate, type Replica, useReplicas } from '@duework/testing/fixtures';
import { recordEvents, type EventRecord } from '@duework/testing';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { runWorker } from './run-worker.js';

const servers = useReplicas();
const work = defineJob({ type: 'work', payload: z.object({ n: z.int() }), retry: fixed('1ms'), lease: '30s' });
/** What a worker lets go of soon when it can no longer extend its lease. */
const brief = defineJob({ type: 'brief', payload: z.object({ n: z.int() }), retry: fixed('1ms'), lease: '5s' });
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const closing: (() => Promise<unknown>)[] = [];
/** Servers that are down, or hang, when their test ends. */
const lost: Replica[] = [];
let primary: Replica = servers.r1;
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
// apart from the tests, whose time is for the worker: what was the primary becomes a standby of the next one
afterEach(async () => {
  for (const each of lost.splice(0)) {
    each.kill();
    await each.rebuildFrom(primary);
  }
  await servers.untilReplicated(primary, 2);
});

interface Start {
  readonly id: string;
  readonly fence: number;
}

/**
 * A worker as programs run one; unless it is told otherwise it knows all three servers. The shortest lease of its jobs
 * decides how long its server may take to answer.
 */
async function startWorker(
  act: () => Promise<void>,
  databaseUrl = servers.url,
  job: typeof work | typeof brief = work,
): Promise<{ events: EventRecord; starts: Start[] }> {
  const events = recordEvents();
  const starts: Start[] = [];
  const stopping = new AbortController();
  const handle = async ({ run }: { readonly run: Start }): Promise<void> => {
    starts.push({ id: run.id, fence: run.fence });
    await act();
  };
  await new Promise<void>((resolve, reject) => {
    const options = {
      databaseUrl,
      workerPort: 'none' as const,
      shutdownDeadlineMs: 0,
      log: silent,
      onEvent: events.emit,
      onStarted: () => resolve(),
      signal: stopping.signal,
      handleSignals: false,
    };
    const ended =
      job === work
        ? runWorker({ catalog: defineCatalog([work]), handlers: { work: handle }, ...options })
        : runWorker({ catalog: defineCatalog([brief]), handlers: { brief: handle }, ...options });
    ended.catch(reject);
    closing.push(() => (stopping.abort(), ended));
  });
  return { events, starts };
}

function connect(url: string): PgClient {
  const db = connectPg({ url, poolSize: 2 });
  closing.push(() => db.$disconnect());
  return db;
}

/** Enqueues one job after another until it is told to stop, and keeps the ids of those that were acknowledged. */
function produce(): { acknowledged: string[]; stop: () => Promise<void> } {
  const db = connect(servers.url);
  const acknowledged: string[] = [];
  const stopping = new AbortController();
  const produced = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      await enqueue(db, work, { n }).then(
        ({ id }) => acknowledged.push(id),
        // the database is away
        () => delay(20),
      );
    }
  })();
  return { acknowledged, stop: () => (stopping.abort(), produced) };
}

/** The primary first. */
function byRole(): [Replica, Replica, Replica] {
  const { r1, r2, r3 } = servers;
  return [primary, ...[r1, r2, r3].filter((each) => each !== primary)] as [Replica, Replica, Replica];
}

function takeOver(old: Replica, next: Replica): void {
  lost.push(old);
  primary = next;
}

/** The standby that is furthest becomes the primary. */
async function replacePrimary(): Promise<void> {
  const [old, ...standbys] = byRole();
  takeOver(old, await failOver(standbys));
}

async function statusOn(server: Replica, id: string): Promise<object | undefined> {
  const rows = await server.ask<object>(`SELECT status, fence::int FROM duework.jobs WHERE id = ${id}`);
  return rows[0];
}

/** Waits until each of those jobs was settled, and expects that none was so twice, and that the primary has them all. */
async function expectSettledOnce(events: EventRecord, ids: readonly string[]): Promise<void> {
  const wanted = new Set(ids);
  const settled = (): string[] =>
    events
      .named('job.succeeded')
      .map(({ run }) => run.id)
      .filter((id) => wanted.has(id));
  while (settled().length < wanted.size) await events.next();
  expect(settled().sort()).toEqual([...wanted].sort());
  const rows = await primary.ask<{ id: string }>(`SELECT id::text FROM duework.jobs WHERE status = 'succeeded'`);
  const kept = new Set(rows.map(({ id }) => id));
  expect(ids.filter((id) => !kept.has(id))).toEqual([]);
}

/** Each claim has a fence of its own, one more than the one before it. */
function expectGrowingFences(starts: readonly Start[]): void {
  const last = new Map<string, number>();
  for (const { id, fence } of starts) {
    if (last.has(id)) expect(fence).toBe(last.get(id)! + 1);
    last.set(id, fence);
  }
}

test('when the primary dies the worker goes on with the next one: nothing that was acknowledged is lost, and nothing settled twice', async () => {
  const { events, starts } = await startWorker(() => delay(5));
  const producer = produce();
  await events.waitFor('job.succeeded', 50);
  primary.kill();
  await replacePrimary();
  const promotedMs = performance.now();
  const before = events.named('job.succeeded').length;
  await events.waitFor('job.succeeded', before + 1);
  expect(performance.now() - promotedMs).toBeLessThan(5_000);

  const count = producer.acknowledged.length;
  while (producer.acknowledged.length < count + 50) await delay(10);
  await producer.stop();
  await expectSettledOnce(events, producer.acknowledged);
  expectGrowingFences(starts);
});

test('when the primary hangs, and no connection is closed, the worker finds out, and goes on with the next one', async () => {
  const { events, starts } = await startWorker(() => delay(5));
  const producer = produce();
  await events.waitFor('job.succeeded', 50);
  primary.freeze();
  await replacePrimary();
  await events.waitFor('job.succeeded', events.named('job.succeeded').length + 50);
  await producer.stop();
  await expectSettledOnce(events, producer.acknowledged);
  expectGrowingFences(starts);
});

test('a database that is moved to another machine while jobs are enqueued and run loses none, and pauses for seconds', async () => {
  const [old, next, other] = byRole();
  const { events, starts } = await startWorker(() => delay(5));
  const producer = produce();
  await events.waitFor('job.succeeded', 50);
  const beganMs = performance.now();
  await old.stop();
  await next.promote();
  await other.follow(next);
  takeOver(old, next);
  await events.waitFor('job.succeeded', events.named('job.succeeded').length + 50);
  expect(performance.now() - beganMs).toBeLessThan(15_000);
  await producer.stop();
  await expectSettledOnce(events, producer.acknowledged);
  expectGrowingFences(starts);
});

test('what is settled on a primary that has lost its standbys does not count: the next primary decides', async () => {
  const [old, ...standbys] = byRole();
  const finish = gate();
  const cutOff = await startWorker(() => finish.promise, old.url, brief);
  const db = connect(old.url);
  const { id } = await enqueue(db, brief, { n: 1 });
  await cutOff.events.waitFor('job.claimed');
  for (const standby of standbys) await standby.followNobody();
  finish.open();
  const hanging = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name LIKE '%engine%'`;
  while ((await old.ask(hanging)).length === 0) await delay(5);

  await replacePrimary();
  const { events, starts } = await startWorker(async () => {}, primary.url, brief);
  await events.waitFor('job.succeeded');
  expect(starts).toEqual([{ id, fence: 2 }]);
  expect(await statusOn(primary, id)).toEqual({ status: 'succeeded', fence: 2 });
  // the old primary has told nobody that it ended, and shows it to nobody
  expect(cutOff.events.named('job.succeeded')).toEqual([]);
  expect(await statusOn(old, id)).toEqual({ status: 'running', fence: 1 });
  old.kill();
  await cutOff.events.waitFor('lease.lost');
});

test('a commit whose wait for a standby somebody has cancelled is an error, and not a success', async () => {
  const [, ...standbys] = byRole();
  for (const standby of standbys) standby.freeze();
  const db = connect(primary.url);
  const enqueued = enqueue(db, work, { n: 1 }).catch((error: unknown) => error);
  const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
  while ((await primary.ask(cancel)).length === 0) await delay(5);
  expect(await enqueued).toMatchObject({ code: '08007' });
  expect(describeDatabaseError(await enqueued, primary.url)).toMatchObject({ code: 'database_unreachable' });
  for (const standby of standbys) standby.thaw();
});

test('while its server takes no writes a worker waits, and what its handlers did meanwhile is settled once it does again', async () => {
  const finish = gate();
  const { events, starts } = await startWorker(() => finish.promise, primary.url);
  const db = connect(primary.url);
  const before = await enqueue(db, work, { n: 1 });
  while (!starts.some(({ id }) => id === before.id)) await delay(5);
  await primary.set({ default_transaction_read_only: 'on' });
  finish.open();
  const failed = () =>
    events.named('database.failed').filter(({ error }) => (error as { code?: string }).code === '25006');
  while (!['settle', 'heartbeat'].every((during) => failed().some((event) => event.during === during)))
    await events.next();
  expect(events.named('job.succeeded')).toEqual([]);
  await primary.set({ default_transaction_read_only: 'off' });
  const after = await enqueue(db, work, { n: 2 });
  await expectSettledOnce(events, [before.id, after.id]);
  for (const { id } of [before, after]) {
    expect(starts.filter((start) => start.id === id)).toEqual([{ id, fence: 1 }]);
    expect(await statusOn(primary, id)).toEqual({ status: 'succeeded', fence: 1 });
  }
});
