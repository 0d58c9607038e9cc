import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { defineCatalog, defineJob, fixed, type JobContract } from '@duework/contracts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestWorker } from '@duework/testing';
import { emptyTables, gate, programPath, useTestDatabase } from '@duework/testing/fixtures';
import { z } from 'zod';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import type { Taking } from '../claim/next-in-line.js';
import type { ClaimedRun, Settlement, Taker } from '../ports/runs.js';
import type { Store } from '../ports/store.js';
import { openQueue } from '../queue/open-queue.js';
import { createPostgresStore } from '../store/postgres-store.js';
import type { Worker, WorkerOptions } from '../index.js';

const payload = z.object({ n: z.int(), account: z.int() });
const base = { payload, retry: fixed('1ms'), lease: '2s', maxAttempts: 3 } as const;
const book = defineJob({ ...base, type: 'book', order: 'account' });
const mail = defineJob({ ...base, type: 'mail', limits: [{ by: 'account', max: 1 }] });
const urgent = defineJob({ ...base, type: 'urgent', priority: 0 });
const catalog = defineCatalog([book, mail, urgent]);
const contracts = new Map<string, JobContract>(catalog.map((each) => [each.type, each]));

const database = useTestDatabase();
const workers: Worker[] = [];
const children: ChildProcess[] = [];
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_history, flow_keys, flow_waits, flow_looks, workers');
  await createPostgresStore({ db: database.db }).prepare(catalog);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

const enqueueBooks = (count: number, account = 1) =>
  enqueueMany(
    database.db,
    Array.from({ length: count }, (_, n) => jobRequest(book, { n, account })),
  );
const claim = async (store: Store, limit = 100): Promise<ClaimedRun[]> =>
  (await store.claim({ queue: 'default', contracts, worker: 'w', limit })).runs;
const complete = ({ id, fence, gates }: ClaimedRun): Settlement => ({
  kind: 'complete',
  id,
  fence,
  result: null,
  gates: gates!,
});

/** Settles runs for a worker with `limit` free slots; returns what it has taken. */
async function settle(store: Store, runs: readonly ClaimedRun[], more: Partial<Taker> = {}) {
  let taken: readonly ClaimedRun[] = [];
  let isAll = false;
  const statuses = await store.settle(runs.map(complete), {
    contracts,
    worker: 'w',
    queues: ['default'],
    limit: 10,
    take: (given, areAll) => {
      taken = given;
      isAll = areAll;
    },
    ...more,
  });
  return { statuses, taken, isAll };
}

describe('a settlement that takes who it has let in', () => {
  test('claims it as a claim does, and tells the same of it', async () => {
    const store = createPostgresStore({ db: database.db });
    const sent = [0, 1, 2].map((n) =>
      jobRequest(book, { n, account: 1 }, { expiresAfter: '1h', meta: { trace: 'a' }, idempotencyKey: `"${n}"` }),
    );
    await enqueueMany(database.db, sent);
    const [first] = await claim(store);
    const { statuses, taken, isAll } = await settle(store, [first!]);
    expect({ statuses, isAll }).toEqual({ statuses: ['succeeded'], isAll: true });
    const { id, waitedMs, runAtMs, createdAtMs, payload, idempotencyKey, terms, ...rest } = first!;
    expect(taken).toHaveLength(1);
    expect(taken[0]).toMatchObject({ ...rest, payload: { n: 1, account: 1 }, idempotencyKey: '"1"' });
    expect(Object.keys(taken[0]!).sort()).toEqual(Object.keys(first!).sort());
    expect(taken[0]!.id).not.toBe(id);
    expect(taken[0]!.terms).toEqual({ expiresAt: expect.any(String) });
    expect([waitedMs, taken[0]!.waitedMs].every((ms) => ms >= 0 && ms < 60_000)).toBe(true);
    expect(Math.abs(taken[0]!.runAtMs - runAtMs)).toBeLessThan(60_000);
    expect(Math.abs(taken[0]!.createdAtMs - createdAtMs)).toBeLessThan(60_000);
    const [row] = await database.db.$queryRaw<unknown[]>`
      SELECT status, attempts, fence, locked_by, held_by, locked_until > now() AS is_leased, claimed_at >= run_at AS is_later
      FROM duework.job_runs WHERE id = ${BigInt(taken[0]!.id)}`;
    expect(row).toEqual({
      status: 'running',
      attempts: 1,
      fence: 1n,
      locked_by: 'w',
      held_by: null,
      is_leased: true,
      is_later: true,
    });
    // and the one behind it waits for it
    expect(await claim(store)).toEqual([]);
  });

  test('takes nothing where its lease was lost: another worker decides', async () => {
    const store = createPostgresStore({ db: database.db });
    await enqueueBooks(2);
    const [first] = await claim(store);
    expect(await settle(store, [{ ...first!, fence: 7 }])).toEqual({ statuses: [null], taken: [], isAll: false });
    expect(await claim(store)).toEqual([]);
  });

  test.each([
    ['more than it has slots for', { limit: 1 }],
    ['of another queue', { queues: ['other'] }],
    ['of a type that it does not know', { contracts: new Map([['book', book as JobContract]]) }],
    ['of a version that it cannot read', { contracts: new Map([['mail', { ...mail, oldestVersion: 2, version: 2 }]]) }],
  ] as const)('leaves to others what is %s, and tells them', async (_what, more) => {
    const store = createPostgresStore({ db: database.db });
    await enqueueMany(
      database.db,
      [1, 2, 1, 2].map((account, n) => jobRequest(mail, { n, account })),
    );
    const { taken, isAll } = await settle(store, await claim(store), more);
    expect({ taken: taken.length, isAll }).toEqual({ taken: 'limit' in more ? 1 : 0, isAll: false });
    expect(await claim(store)).toHaveLength(2 - taken.length);
  });

  test('leaves alone what has not started in time', async () => {
    const store = createPostgresStore({ db: database.db });
    await enqueueBooks(1);
    await enqueue(database.db, book, { n: 1, account: 1 }, { expiresAfter: '1ms' });
    const { taken } = await settle(store, await claim(store));
    expect(taken).toEqual([]);
    expect(await claim(store)).toEqual([]);
  });

  test('lets nobody in whose type is paused', async () => {
    const store = createPostgresStore({ db: database.db });
    await enqueueBooks(2);
    const runs = await claim(store);
    await openQueue(database.db).pauseType('book');
    expect((await settle(store, runs)).taken).toEqual([]);
    await openQueue(database.db).resumeType('book');
    expect(await claim(store)).toHaveLength(1);
  });

  test('gives no run to a handler that has the gates of other rules', async () => {
    const old = createPostgresStore({ db: database.db });
    await enqueueMany(
      database.db,
      [0, 1].map((n) => jobRequest(mail, { n, account: 1 })),
    );
    const runs = await claim(old);
    const changed = defineJob({ ...base, type: 'mail', limits: [{ by: 'n', max: 1 }] });
    const store = createPostgresStore({ db: database.db });
    await store.prepare(defineCatalog([book, changed, urgent]));
    expect((await settle(store, runs)).taken).toEqual([]);
  });

  test('and another one at the same time never have two of one key, over two connections, in order, and none is lost', async () => {
    const accounts = 5;
    const each = 12;
    await enqueueMany(
      database.db,
      Array.from({ length: accounts * each }, (_, n) => jobRequest(book, { n, account: n % accounts })),
    );
    const done: number[][] = Array.from({ length: accounts }, () => []);
    const running = new Set<number>();
    const other = database.connect({ poolSize: 1 });
    const isOver = (): boolean => done.every((list) => list.length === each);
    async function work(store: Store, worker: string): Promise<void> {
      while (!isOver()) {
        const { runs } = await store.claim({ queue: 'default', contracts, worker, limit: 2 });
        let holding: readonly ClaimedRun[] = runs;
        while (holding.length > 0) {
          const accountsNow = holding.map((run) => (run.payload as { account: number }).account);
          for (const account of accountsNow) expect(running).not.toContain(account);
          for (const account of accountsNow) running.add(account);
          await new Promise((resolve) => setImmediate(resolve));
          for (const run of holding) {
            const { n, account } = run.payload as { n: number; account: number };
            done[account]!.push(n);
          }
          // whoever is let in by the settlement may begin before its answer is here
          for (const account of accountsNow) running.delete(account);
          holding = (await settle(store, holding, { worker, limit: 2 })).taken;
        }
      }
    }
    await Promise.all([
      work(createPostgresStore({ db: database.db }), 'a'),
      work(createPostgresStore({ db: other }), 'b'),
    ]);
    expect(done).toEqual(
      Array.from({ length: accounts }, (_, account) => Array.from({ length: each }, (_, n) => account + n * accounts)),
    );
    expect(await database.db.jobHistory.count({ where: { status: 'succeeded', attempts: 1 } })).toBe(accounts * each);
  });
});

/** A worker whose store is `wrap`ped; it notes in which order books begin. */
async function start(
  wrap: (store: Store) => Partial<Store> = () => ({}),
  more: Partial<WorkerOptions<typeof catalog>> = {},
  handle: (payload: { n: number; account: number }, type: string) => Promise<void> | void = () => {},
) {
  const store = createPostgresStore({ db: database.db });
  const began: string[] = [];
  const note =
    (type: string) =>
    ({ payload }: { readonly payload: { n: number; account: number } }) => {
      began.push(`${type} ${payload.n}`);
      return handle(payload, type);
    };
  const started = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { book: note('book'), mail: note('mail'), urgent: note('urgent') },
    store: { ...store, ...wrap(store) },
    maintenance: { rescueIntervalMs: 100 },
    ...more,
  });
  workers.push(started.worker);
  return { ...started, began };
}
/** Which runs the settlement has taken for its worker. */
const takenBy = (taker: Taker | undefined): readonly ClaimedRun[] => (taker as Taking | undefined)?.runs ?? [];

/** Enqueues books until it is `over`, because a worker that has to wait for long asks again; returns how many. */
async function enqueueUntil(over: Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  void over.then(() => (state.isOver = true));
  let sent = 0;
  while (!state.isOver) await enqueue(database.db, book, { n: sent++, account: 1 });
  return sent;
}

const books = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `book ${from + index}`);

describe('a worker', () => {
  test('that holds a key goes on with its next runs, in order, and its settlements claim them', async () => {
    let takings = 0;
    await enqueueBooks(200);
    const { events, began } = await start((store) => ({
      settle: async (batch, taker) => {
        const settled = await store.settle(batch, taker);
        takings += takenBy(taker).length;
        return settled;
      },
    }));
    await events.waitFor('job.succeeded', 200);
    expect(began).toEqual(books(0, 200));
    expect(takings).toBeGreaterThan(0);
  });

  test('that goes on with a key lets what is more urgent begin before the key has come to its end', async () => {
    await enqueueBooks(300);
    let isSent = false;
    const { events, began } = await start(undefined, { concurrency: 1 }, async ({ n }, type) => {
      if (type === 'book' && n === 20 && !isSent) {
        isSent = true;
        await enqueue(database.db, urgent, { n: 0, account: 0 });
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    });
    await events.waitFor('job.succeeded', 301);
    expect(began.filter((name) => name !== 'urgent 0')).toEqual(books(0, 300));
    expect(began.indexOf('urgent 0')).toBeGreaterThan(20);
    expect(began.indexOf('urgent 0')).toBeLessThan(200);
  });

  test('that loses the answer of such a settlement has the run rescued, and the order is kept', async () => {
    const cut = gate();
    let isCut = false;
    const { events, began } = await start((store) => ({
      settle: async (batch, taker) => {
        const settled = await store.settle(batch, taker);
        if (isCut || takenBy(taker).length === 0) return settled;
        isCut = true;
        cut.open();
        throw new Error('the connection was cut');
      },
    }));
    const sent = await enqueueUntil(cut.promise);
    await events.waitFor('job.succeeded', sent);
    expect(began).toEqual(books(0, sent));
    // the one that was lost has cost an attempt, like a claim whose answer is lost
    expect(await database.db.jobHistory.count({ where: { status: 'succeeded', attempts: 2 } })).toBe(1);
  });

  test('that stops while such a settlement is on its way gives the run back, uncharged, and does not begin it', async () => {
    const taken = gate();
    const answered = gate();
    const { worker, began } = await start((store) => ({
      settle: async (batch, taker) => {
        const settled = await store.settle(batch, taker);
        if (takenBy(taker).length === 0) return settled;
        taken.open();
        await answered.promise;
        return settled;
      },
    }));
    const sent = await enqueueUntil(taken.promise);
    expect(await database.db.jobRun.count({ where: { status: 'running' } })).toBe(1);
    const begun = began.length;
    const stopped = worker.stop({ deadlineMs: 60_000 });
    answered.open();
    await stopped;
    expect(began).toHaveLength(begun);
    const untouched = { status: 'queued', attempts: 0 } as const;
    expect(await database.db.jobRun.count({ where: untouched })).toBe(sent - begun);
    expect(await database.db.jobRun.count()).toBe(sent - begun);
  });

  test('that is killed right after such a settlement has its run rescued by another, which goes on in order', async () => {
    const child = spawn(process.execPath, [programPath('die-in-line.mjs'), database.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const told: string[] = [];
    createInterface(child.stdout).on('line', (line) => told.push(line));
    const sent = await enqueueUntil(once(child, 'close'));
    const taken = told.at(-1)!.replace('taken ', '');
    expect(told.at(-1)).toMatch(/^taken \d+$/);
    expect(await database.db.jobRun.findFirst({ where: { id: BigInt(taken) } })).toMatchObject({
      status: 'running',
      attempts: 1,
    });
    const begunThere = told.filter((line) => line.startsWith('book '));
    const { events, began } = await start();
    await events.waitFor('job.succeeded', sent - begunThere.length);
    // none of them began twice, because the one that was taken had not begun
    expect([...begunThere, ...began]).toEqual(books(0, sent));
    expect(events.named('job.succeeded').find(({ run }) => run.id === taken)!.run.attempt).toBe(2);
  });
});
