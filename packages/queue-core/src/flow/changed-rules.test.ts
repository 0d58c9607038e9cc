import { fork } from 'node:child_process';
import { once } from 'node:events';
import { defineCatalog, defineJob, fixed, type FlowOptions, type JobContract } from '@duework/contracts';
import type { PrismaClient } from '@duework/database';
import type { Queryable } from '@duework/sql';
import { startTestWorker } from '@duework/testing';
import { emptyTables, programPath, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Worker } from '../index.js';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { retry } from '../settle/outcome.js';
import { setKeyRing } from '../secrets/current-key-ring.js';
import { createKeyRing } from '../secrets/key-ring.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { createPostgresStore } from '../store/postgres-store.js';

const payload = z.object({ n: z.int(), account: z.int() });
type Payload = z.infer<typeof payload>;
const sync = (flow: FlowOptions<Payload> = {}) =>
  defineJob({ type: 'sync', payload, retry: fixed('1ms'), maxAttempts: 3, ...flow });
const plain = sync();
const limited = sync({ limits: [{ by: 'account', max: 1 }] });

const database = useTestDatabase();
const workers: Worker[] = [];
let done: Payload[] = [];
let running = new Map<number | 'all', number>();
let most = new Map<number | 'all', number>();

beforeEach(async () => {
  [done, running, most] = [[], new Map(), new Map()];
  await emptyTables(
    database.db,
    'job_runs, job_history, job_definitions, flow_rules, flow_keys, flow_waits, flow_looks, flow_turns, job_contracts',
  );
});
afterEach(async () => {
  setKeyRing(null);
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

const count = (key: number | 'all', by: number): void => {
  running.set(key, (running.get(key) ?? 0) + by);
  most.set(key, Math.max(most.get(key) ?? 0, running.get(key)!));
};
async function observe({ payload }: { readonly payload: Payload }): Promise<void> {
  for (const key of ['all', payload.account] as const) count(key, 1);
  await new Promise((resolve) => setTimeout(resolve, 2));
  for (const key of ['all', payload.account] as const) count(key, -1);
  done.push(payload);
}
type Sync = (call: { readonly payload: Payload; readonly attempt: number }) => Promise<unknown>;
/** Two workers of the contract that a deploy has brought, started at once; what each has told. */
const deploy = async (contract: JobContract, handler: Sync = observe, concurrency = 20) =>
  Promise.all(
    [1, 2].map(async () => {
      const catalog = defineCatalog([contract as ReturnType<typeof sync>]);
      const handlers = { sync: handler as never };
      const started = await startTestWorker<typeof catalog>(database.db, { catalog, handlers, concurrency });
      workers.push(started.worker);
      return started.events;
    }),
  );
const put = (contract: ReturnType<typeof sync>, runs: readonly Payload[]) =>
  enqueueMany(
    database.db,
    runs.map((run) => jobRequest(contract, run)),
  );
const many = (length: number, accounts: number): Payload[] =>
  Array.from({ length }, (_, n) => ({ n, account: n % accounts }));
const untilDone = async (total: number): Promise<void> => {
  while (done.length < total) await new Promise((resolve) => setTimeout(resolve, 5));
};
/** As the programs of before have left it. */
const register = (contract: JobContract) => registerDefinitions(database.db, [contract]);
const attempts = async (): Promise<number> =>
  (await database.db.$queryRaw<{ most: number }[]>`SELECT max(attempts) AS most FROM duework.job_history`)[0]!.most;
const inLine = async (): Promise<number> =>
  Number(
    (
      await database.db.$queryRaw<{ n: bigint }[]>`SELECT count(*) AS n FROM duework.job_runs WHERE held_by IS NOT NULL`
    )[0]!.n,
  );

/** What is sent through it. */
function countStatements(client: PrismaClient): { readonly db: Queryable; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  const $queryRaw = <T>(query: unknown): Promise<T> => (sent.push(query), client.$queryRaw<T>(query as never));
  return { db: { $queryRaw, isTransaction: false }, sent };
}

describe('a rule that a deploy adds counts for what already waits', () => {
  test('a limit: no more of a key run at once than it says, over two workers', async () => {
    await register(plain);
    await put(plain, many(60, 3));
    await deploy(limited);
    await untilDone(60);
    for (const account of [0, 1, 2]) expect(most.get(account)).toBe(1);
    expect(await attempts()).toBe(1);
  });

  test('an order: the runs of a key run one at a time in the order of their ids, whatever their priorities', async () => {
    await register(plain);
    for (let n = 0; n < 40; n++) await enqueue(database.db, plain, { n, account: n % 2 }, { priority: 9 - (n % 10) });
    await deploy(sync({ order: 'account' }), async (call) => {
      if (call.payload.n % 7 === 3 && call.attempt === 1) return retry('not yet');
      await observe(call);
    });
    await untilDone(40);
    for (const account of [0, 1]) {
      const order = done.filter((run) => run.account === account).map(({ n }) => n);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(most.get(account)).toBe(1);
    }
  });

  test('a rate: no more start in a time than it says', async () => {
    await register(plain);
    await put(plain, many(60, 1));
    const beganMs = performance.now();
    await deploy(sync({ rate: { max: 50, per: '1s', burst: 1 } }));
    await untilDone(60);
    // 50 a second, of which so many may start at once as fit between two looks
    expect(performance.now() - beganMs).toBeGreaterThan(((60 - 4) / 50) * 1_000);
  });

  test('a tenant: one with many runs delays the first run of another by one turn', async () => {
    await register(plain);
    await put(plain, many(300, 1));
    await enqueue(database.db, plain, { n: 1000, account: 2 });
    await deploy(sync({ tenant: 'account' }), observe, 5);
    await untilDone(301);
    expect(done.findIndex(({ n }) => n === 1000)).toBeLessThan(60);
  });

  test('a key that code makes', async () => {
    await register(plain);
    await put(plain, many(40, 4));
    await deploy(sync({ limits: [{ by: ({ account }) => `of ${account % 2}`, max: 1 }] }));
    await untilDone(40);
    expect(most.get('all')).toBe(2);
  });

  test('a limit that goes by another value under the same name', async () => {
    const one = sync({ limits: [{ name: 'api', by: 'n', max: 1 }] });
    await register(one);
    await put(one, many(60, 3));
    await deploy(sync({ limits: [{ name: 'api', by: 'account', max: 1 }] }));
    await untilDone(60);
    for (const account of [0, 1, 2]) expect(most.get(account)).toBe(1);
  });

  test('and for retries and jobs that are due later', async () => {
    await register(plain);
    await put(plain, many(20, 1));
    for (let n = 20; n < 40; n++) await enqueue(database.db, plain, { n, account: 0 }, { delay: '300ms' });
    await deploy(limited, async (call) => {
      if (call.payload.n % 5 === 0 && call.attempt === 1) return retry('not yet');
      await observe(call);
    });
    await untilDone(40);
    expect(most.get(0)).toBe(1);
  });
});

describe('a rule that a deploy removes lets go of what it held', () => {
  test.each<[string, FlowOptions<Payload>]>([
    ['a limit', { limits: [{ by: 'account', max: 1 }] }],
    ['an order', { order: { by: 'account', onDead: 'block' } }],
    ['a rate', { rate: { max: 1, per: '1h' } }],
    ['a tenant', { tenant: 'account' }],
  ])('%s: all run at once, and nothing of it is left', async (_, flow) => {
    await register(sync(flow));
    await put(sync(flow), many(40, 2));
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    let begun = 0;
    // each waits for all
    await deploy(plain, async (call) => {
      if (++begun === 40) open();
      await opened;
      await observe(call);
    });
    await untilDone(40);
    await database.db.$executeRaw`UPDATE duework.flow_looks SET at = at - interval '2 hours'`;
    await createPostgresStore({ db: database.db }).prune({ keepDays: 30, keepDeadDays: 90 });
    expect(
      await database.db.$queryRaw`SELECT name AS key FROM duework.flow_rules UNION ALL SELECT key FROM duework.flow_keys
        UNION ALL SELECT key FROM duework.flow_waits UNION ALL SELECT key FROM duework.flow_looks`,
    ).toEqual([]);
  });

  test('also what a program of the old rules enqueues afterwards, where no type has rules any more', async () => {
    const ordered = sync({ order: 'account' });
    const store = createPostgresStore({ db: database.db });
    await store.prepare([plain]);
    const contracts = new Map([['sync', plain]]);
    await store.announceContracts({ worker: 'w', queues: ['default'], contracts });
    await put(ordered, many(6, 1));
    for (let n = 6; n < 9; n++) await enqueue(database.db, ordered, { n, account: 1 }, { delay: '1h' });
    await database.db.$executeRaw`UPDATE duework.flow_looks SET at = at - interval '2 hours' WHERE run_id IS NOT NULL`;
    expect(await inLine()).toBe(9);
    await store.findForgottenKeys();
    // a minute later
    await store.announceContracts({ worker: 'w', queues: ['default'], contracts });
    while ((await store.giveGates()) !== null);
    expect(await inLine()).toBe(0);
  });
});

describe('programs of the old rules beside workers of the new ones', () => {
  test('what they enqueue is not run before it stands in line, uncharged', async () => {
    await deploy(limited);
    for (let n = 0; n < 60; n++) await enqueue(database.db, n % 2 === 0 ? plain : limited, { n, account: n % 3 });
    await untilDone(60);
    for (const account of [0, 1, 2]) expect(most.get(account)).toBe(1);
    expect(await attempts()).toBe(1);
  });

  test('what they enqueue by another value of a rule of the same name', async () => {
    await deploy(sync({ limits: [{ name: 'api', by: 'account', max: 1 }] }));
    await put(sync({ limits: [{ name: 'api', by: 'n', max: 1 }] }), many(60, 3));
    await untilDone(60);
    for (const account of [0, 1, 2]) expect(most.get(account)).toBe(1);
  });

  test.each([
    ['is claimed with it', 10],
    ['is not claimed yet', 1],
  ])('of an order, one that was enqueued earlier goes before one that was let in and %s', async (_, limit) => {
    const ordered = sync({ order: 'account' });
    const store = createPostgresStore({ db: database.db });
    await store.prepare([ordered]);
    const ids: string[] = [];
    for (const contract of [plain, ordered]) ids.push((await enqueue(database.db, contract, { n: 0, account: 1 })).id);
    const claim = async () => {
      const contracts = new Map<string, JobContract>([['sync', ordered]]);
      const { runs } = await store.claim({ queue: 'default', contracts, worker: 'w', limit });
      return runs.map(({ id, attempt }) => [id, attempt]);
    };
    expect(await claim()).toEqual([]);
    expect(await claim()).toEqual([[ids[0], 1]]);
    expect(await claim()).toEqual([]);
  });

  test('what is left of a rule that is gone is given back by the worker that claims it', async () => {
    await deploy(plain);
    await put(limited, many(6, 2));
    await database.db.$executeRaw`UPDATE duework.job_runs SET held_by = NULL`;
    await untilDone(6);
    // the last ones have been done, and are settled a moment later
    while ((await database.db.jobRun.count()) > 0);
    expect(await database.db.$queryRaw`SELECT DISTINCT gates FROM duework.job_history`).toEqual([{ gates: null }]);
  });

  test('one of their workers that starts once more overrules the new ones only as long as it lives', async () => {
    const fresh = createPostgresStore({ db: database.db });
    const old = createPostgresStore({ db: database.db });
    const contracts = (contract: JobContract) => ({ contracts: new Map([['sync', contract]]), queues: ['default'] });
    await fresh.prepare([limited]);
    await fresh.announceContracts({ worker: 'fresh', ...contracts(limited) });
    await old.prepare([plain]);
    await old.announceContracts({ worker: 'old', ...contracts(plain) });
    while ((await old.giveGates()) !== null);
    const isRegistered = async (): Promise<boolean> => {
      await fresh.announceContracts({ worker: 'fresh', ...contracts(limited) });
      while ((await fresh.giveGates()) !== null);
      return (await database.db.jobDefinition.findUniqueOrThrow({ where: { type: 'sync' } })).flow !== null;
    };
    await put(plain, many(4, 1));
    expect(await isRegistered()).toBe(false);
    await old.withdrawContracts('old');
    expect(await isRegistered()).toBe(true);
    expect(await inLine()).toBe(4);
  });

  test('their workers give nothing other gates, and take back no claim', async () => {
    const old = createPostgresStore({ db: database.db });
    await old.prepare([limited]);
    await put(limited, many(4, 2));
    const fresh = createPostgresStore({ db: database.db });
    await fresh.prepare([sync({ order: 'account' })]);
    expect(await old.giveGates()).toBeNull();
    while ((await fresh.giveGates()) !== null);
    await put(plain, many(2, 1));
    const contracts = new Map<string, JobContract>([['sync', limited]]);
    const claim = await old.claim({ queue: 'default', contracts, worker: 'old', limit: 10 });
    expect(claim.runs.map(({ gates }) => gates?.length ?? 0).toSorted()).toEqual([0, 0, 1, 1]);
  });
});

describe('a large backlog', () => {
  const putMany = (howMany: number) => database.db.$executeRaw`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'default', 'sync', 1, 5, now(), jsonb_build_object('n', n, 'account', n % 7), 3
    FROM generate_series(1, ${howMany}::integer) AS n`;
  const contracts = new Map<string, JobContract>([['sync', limited]]);
  const request = { queue: 'default', contracts, worker: 'w', limit: 10 };

  test('gets its gates in portions of 2,000, two statements each, and none of the type is claimed before', async () => {
    await register(plain);
    await putMany(5_000);
    const { db, sent } = countStatements(database.db);
    const store = createPostgresStore({ db });
    await store.prepare([limited]);
    const counts: unknown[] = [];
    for (let state = ''; state !== 'done';) {
      expect((await store.claim(request)).runs).toEqual([]);
      sent.length = 0;
      const given = (await store.giveGates())!;
      counts.push([sent.length, given.looked, given.changed]);
      state = given.state;
    }
    expect(counts).toEqual([
      [2, 2_000, 2_000],
      [2, 2_000, 2_000],
      [2, 1_000, 1_000],
      [2, 0, 0],
    ]);
    expect((await store.claim(request)).runs).toHaveLength(7);
  });

  test('is gone on with by another worker where the one that was at it is killed', async () => {
    await register(plain);
    await putMany(5_000);
    const child = fork(programPath('give-gates-until-killed.mjs'), [database.url]);
    expect((await once(child, 'message'))[0]).toMatchObject({ looked: 2_000, changed: 2_000, state: 'going' });
    const store = createPostgresStore({ db: database.db });
    await store.prepare([limited]);
    expect(await store.giveGates()).toMatchObject({ state: 'busy' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await store.claim(request)).runs).toEqual([]);
    // nothing was heard of it for 5 s
    await database.db.$executeRaw`UPDATE duework.job_definitions SET gates_at = gates_at - interval '5 seconds'`;
    expect(await store.giveGates()).toMatchObject({ looked: 2_000, changed: 2_000, state: 'going' });
    while ((await store.giveGates()) !== null);
    expect(await database.db.$queryRaw`SELECT id FROM duework.job_runs WHERE gates IS NULL`).toEqual([]);
    expect((await store.claim(request)).runs).toHaveLength(7);
  });

  test('waits for nobody: whose row somebody has, gets its gates when it is let go', async () => {
    await register(plain);
    await putMany(5);
    const store = createPostgresStore({ db: database.db });
    await store.prepare([limited]);
    await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM duework.job_runs ORDER BY id LIMIT 1 FOR UPDATE`;
      expect(await store.giveGates()).toMatchObject({ state: 'busy', changed: 4 });
      expect((await store.claim(request)).runs).toEqual([]);
    });
    expect(await store.giveGates()).toMatchObject({ state: 'going', changed: 1 });
  });

  test('two workers that start at once do each portion once', async () => {
    await register(plain);
    await putMany(5_000);
    const stores = [1, 2].map(() => createPostgresStore({ db: database.db }));
    for (const store of stores) await store.prepare([limited]);
    const totals = await Promise.all(
      stores.map(async (store) => {
        let changed = 0;
        for (let given = await store.giveGates(); given !== null; given = await store.giveGates())
          changed += given.changed;
        return changed;
      }),
    );
    expect(totals.toSorted((a, b) => a - b)).toEqual([0, 5_000]);
  });
});

describe('what needs nothing', () => {
  test('a start whose rules are those that are registered sends no statement for it, and what a rule declares is no change', async () => {
    await register(limited);
    await put(limited, many(3, 1));
    const { db, sent } = countStatements(database.db);
    const store = createPostgresStore({ db });
    await store.prepare([sync({ limits: [{ by: 'account', max: 2 }] })]);
    sent.length = 0;
    expect(await store.giveGates()).toBeNull();
    expect(sent).toEqual([]);
  });

  test('a job whose key this worker lacks gets its gates from one that has it, before its handler begins', async () => {
    const sealed = (flow: FlowOptions<{ account: number; secret: string }> = {}) =>
      defineJob({
        type: 'sync',
        payload: z.object({ account: z.int(), secret: z.string() }),
        sensitive: ['/secret'],
        ...flow,
      });
    const wanted = sealed({ limits: [{ by: 'account', max: 1 }] });
    await register(sealed());
    const ring = createKeyRing({ current: 'k1', keys: { k1: Buffer.alloc(32, 1).toString('base64') } });
    setKeyRing(ring);
    await enqueue(database.db, sealed(), { account: 1, secret: 'x' });
    setKeyRing(null);
    const store = createPostgresStore({ db: database.db });
    await store.prepare([wanted]);
    expect(await store.giveGates()).toMatchObject({ changed: 0, unusable: 1 });
    while ((await store.giveGates()) !== null);
    setKeyRing(ring);
    const request = { queue: 'default', contracts: new Map([['sync', wanted]]), worker: 'w', limit: 10 };
    expect((await store.claim(request)).runs).toEqual([]);
    expect((await store.claim(request)).runs).toMatchObject([{ gates: ['limit/sync.account/1'], attempt: 1 }]);
  });

  test('a job whose payload cannot be read holds up nobody, and is told of; one without a usable value counts as one without any', async () => {
    await register(plain);
    const old = defineJob({ type: 'sync', payload: z.object({ n: z.int(), account: z.any() }) });
    await enqueueMany(database.db, [jobRequest(old, { n: 1, account: 'text' }), jobRequest(old, { n: 2, account: 1 })]);
    const both = await deploy(
      sync({ limits: [{ by: ({ account }) => (account === 1 ? ([] as never) : account), max: 1 }] }),
    );
    const one = (name: 'job.dead' | 'job.succeeded') => Promise.any(both.map((events) => events.waitFor(name)));
    await Promise.all([one('job.dead'), one('job.succeeded')]);
    const told = both.flatMap((events) => events.named('gates.changed'));
    expect(told).toMatchObject([{ types: ['sync'], looked: 2, changed: 1, unusable: 2, isAll: true }]);
    const dead = await database.db.$queryRaw`SELECT error_code FROM duework.job_history_dead`;
    expect(dead).toEqual([{ error_code: 'invalid_payload' }]);
    expect(await database.db.$queryRaw`SELECT gates FROM duework.jobs WHERE status = 'succeeded'`).toEqual([
      { gates: ['limit/sync.by/'] },
    ]);
  });
});
