import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { defineCatalog, defineJob, fixed, type JobContract } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import type { ClaimedRun } from '../ports/runs.js';
import { acknowledgeJob, getJob } from '../queue/operate.js';
import { complete, rateLimited } from '../settle/outcome.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { createPostgresStore } from '../store/postgres-store.js';
import type { Worker } from '../worker/create-worker.js';

/** What the page says is tried as it stands there: whoever copies a line of its table gets what it promises. */
const page = readFileSync(new URL('../../../../docs/how-to/flow-control.md', import.meta.url), 'utf8');
const lines = new Map(
  [...page.matchAll(/^\| (?<want>[^|]+?) +\| (?<write>[^|]*`[^|]*?) +\|$/gm)]
    .map(
      ({ groups }) =>
        [groups!['want']!, [...groups!['write']!.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)] as const,
    )
    .slice(
      0,
      page
        .split('## How it works')[0]!
        .split('\n')
        .filter((line) => line.startsWith('| ')).length - 2,
    ),
);

const payload = z.object({
  accountId: z.string(),
  customerId: z.string(),
  pages: z.int(),
  plan: z.object({ weight: z.int() }),
});
type Payload = z.infer<typeof payload>;

const database = useTestDatabase();
const workers: Worker[] = [];
beforeEach(async () => {
  await database.db.$executeRaw`
    TRUNCATE duework.job_runs, duework.job_history, duework.job_definitions, duework.flow_rules, duework.flow_keys, duework.flow_waits,
      duework.flow_looks, duework.flow_turns`;
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** Contracts of these types with what a line says, and what a worker does with their runs. */
async function define(code: string, types = ['job'], more: object = {}) {
  const options = runInThisContext(`({ ${code} })`) as object;
  const made = types.map((type) => defineJob({ type, payload, retry: fixed('1h'), ...more, ...options }));
  const catalog = defineCatalog(made as never) as readonly JobContract[];
  await registerDefinitions(database.db, catalog);
  const store = createPostgresStore({ db: database.db });
  const contracts = new Map(catalog.map((contract) => [contract.type, contract]));
  const error = { code: 'boom', type: 'Error', message: 'boom', stack: null };
  const end = ({ id, fence, gates }: ClaimedRun, settlement: object) =>
    store.settle([{ id, fence, gates: gates ?? [], ...settlement } as never]);
  return {
    catalog,
    async add(payloads: readonly Partial<Payload>[], type = types[0]!): Promise<string[]> {
      const full = { accountId: 'a', customerId: 'c', pages: 1, plan: { weight: 1 } };
      const requests = payloads.map((one) => jobRequest(contracts.get(type)! as never, { ...full, ...one } as never));
      return (await enqueueMany(database.db, requests)).map(({ id }) => id);
    },
    async take(limit = 100): Promise<readonly ClaimedRun[]> {
      return (await store.claim({ queue: 'default', contracts, worker: 'w', limit })).runs;
    },
    store,
    finish: (run: ClaimedRun) => end(run, { kind: 'complete', result: null }),
    fail: (run: ClaimedRun, delayMs: number) => end(run, { kind: 'fail', error, abort: null, delayMs }),
    bury: (run: ClaimedRun) => end(run, { kind: 'bury', error, abort: null }),
  };
}

const many = (count: number, given: Partial<Payload> = {}): Partial<Payload>[] =>
  Array.from({ length: count }, () => given);
const ids = (runs: readonly ClaimedRun[]): string[] => runs.map(({ id }) => id);
const customers = (runs: readonly ClaimedRun[]): string[] =>
  runs.map((run) => (run.payload as unknown as Payload).customerId);
const closedFor = async (key: string): Promise<number | null> => {
  const [row] = await database.db.$queryRaw<{ seconds: number | null }[]>`
    SELECT extract(epoch FROM closed_until - now())::float8 AS seconds FROM duework.flow_keys WHERE key = ${key}`;
  return row?.seconds ?? null;
};

/** Proves one line each, with the code that stands there. */
const cases: Readonly<Record<string, (code: readonly string[]) => Promise<void>>> = {
  async 'no more than 5 at once against a provider'([code]) {
    const { add, take, finish } = await define(code!, ['mail', 'letter']);
    await add(many(4), 'mail');
    await add(many(4), 'letter');
    const five = await take();
    expect([five.length, await take()]).toEqual([5, []]);
    await finish(five[0]!);
    expect(await take()).toHaveLength(1);
  },
  async '100 a minute'([code]) {
    const { add, take } = await define(code!);
    await add(many(20));
    const beganMs = performance.now();
    let begun = 0;
    while (begun < 12) begun += (await take()).length;
    // a tenth of them may start at once, and then one in 600 ms
    expect(performance.now() - beganMs).toBeGreaterThan(2 * 600 - 100);
    expect(begun).toBe(12);
  },
  async 'one at a time per account'([code]) {
    const { add, take, finish } = await define(code!);
    const [first, second, other] = await add([{ accountId: '7' }, { accountId: '7' }, { accountId: '8' }]);
    const taken = await take();
    expect(ids(taken)).toEqual([first, other]);
    await finish(taken[0]!);
    expect(ids(await take())).toEqual([second]);
  },
  async 'one at a time per account, in order, waiting for retries'([code]) {
    const { add, take, finish, fail } = await define(code!);
    const [first, second, other] = await add([{ accountId: '7' }, { accountId: '7' }, { accountId: '8' }]);
    const taken = await take();
    expect(ids(taken)).toEqual([first, other]);
    await fail(taken[0]!, 3_600_000);
    expect(await take()).toEqual([]);
    await database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() WHERE id = ${BigInt(first!)}`;
    const again = await take();
    expect(ids(again)).toEqual([first]);
    await finish(again[0]!);
    expect(ids(await take())).toEqual([second]);
  },
  async '… stepping over what has failed'([code]) {
    const { add, take, fail } = await define(code!);
    const [, second] = await add(many(2, { accountId: '7' }));
    await fail((await take())[0]!, 3_600_000);
    expect(ids(await take())).toEqual([second]);
  },
  async '… stopping at a dead job until you acknowledge it'([code]) {
    const { add, take, bury } = await define(code!);
    const [first, second] = await add(many(2, { accountId: '7' }));
    await bury((await take())[0]!);
    expect(await take()).toEqual([]);
    await acknowledgeJob(database.db, first!);
    expect(ids(await take())).toEqual([second]);
  },
  async 'no customer starves the others'([code]) {
    const { add, take } = await define(code!);
    await add(many(50, { customerId: 'large' }));
    await add([{ customerId: 'small' }]);
    expect(customers(await take(2)).toSorted()).toEqual(['large', 'small']);
  },
  async '… and some have more turns'([code]) {
    const { add, take } = await define(code!);
    await add(many(20, { customerId: 'pro', plan: { weight: 3 } }));
    await add(many(20, { customerId: 'free', plan: { weight: 1 } }));
    const taken = customers(await take(16));
    expect(taken.filter((customer) => customer === 'pro')).toHaveLength(12);
  },
  async 'a heavy job takes several slots'([code]) {
    const { add, take, finish } = await define(code!);
    const [first, second, third] = await add([{ pages: 12 }, { pages: 8 }, { pages: 1 }]);
    const taken = await take();
    expect(ids(taken)).toEqual([first, second]);
    await finish(taken[0]!);
    expect(ids(await take())).toEqual([third]);
  },
  async 'to wait when a provider says 429'([answer, ...kinds]) {
    expect(kinds).toEqual(['rate', 'limits']);
    const handle = runInThisContext(`(rateLimited) => { ${answer} }`) as (given: typeof rateLimited) => never;
    const { catalog, add } = await define(`rate: { name: 'api', max: 10, per: '1s' }`, ['a', 'b']);
    const [first] = await add([{}], 'a');
    const { worker, events } = await startTestWorker(database.db, {
      catalog,
      handlers: { a: () => handle(rateLimited), b: () => complete() } as never,
    });
    workers.push(worker);
    await events.waitFor('job.snoozed');
    const [second] = await add([{}], 'b');
    // the worker has looked at it
    while (
      (await database.db.$queryRaw<object[]>`SELECT 1 AS one FROM duework.flow_looks WHERE at <= now()`).length > 0
    );
    expect((await getJob(database.db, first!)).job).toMatchObject({ status: 'queued', attempts: 0 });
    expect((await getJob(database.db, second!)).job).toMatchObject({ status: 'queued', heldBy: 'rate/api' });
    expect(await closedFor('rate/api')).toBeGreaterThan(20);
    expect(await closedFor('rate/api')).toBeLessThanOrEqual(30);
  },
  async 'to stop calling what is down'([code]) {
    const { add, take, finish, fail } = await define(code!);
    await add(many(20));
    const taken = await take();
    for (const [n, run] of taken.entries()) await (n % 2 === 0 ? finish(run) : fail(run, 3_600_000));
    expect(await closedFor('breaker/job')).toBeGreaterThan(20);
    expect(await closedFor('breaker/job')).toBeLessThanOrEqual(30);
    await add(many(20));
    expect(await take()).toEqual([]);
  },
  async 'nothing waits forever behind urgent work'([code]) {
    const { add, take, store } = await define(code!, ['patient'], { priority: 9 });
    const [old] = await add([{}]);
    await database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() - interval '9 minutes'`;
    expect(await store.raiseWaiting()).toBe(0);
    await database.db.$executeRaw`UPDATE duework.job_runs SET run_at = now() - interval '11 minutes'`;
    expect(await store.raiseWaiting()).toBe(1);
    await add([{}]);
    await database.db.$executeRaw`UPDATE duework.job_runs SET priority = 0 WHERE id <> ${BigInt(old!)}`;
    expect(ids(await take(1))).toEqual([old]);
  },
  async 'many jobs in one call'([code]) {
    const { catalog, add } = await define(code!);
    const jobs = await add(many(100));
    const calls: number[] = [];
    const handle = (given: readonly object[]) => {
      calls.push(given.length);
      return given.map(() => complete());
    };
    const { worker, events } = await startTestWorker(database.db, { catalog, handlers: { job: handle } as never });
    workers.push(worker);
    await events.waitFor('job.succeeded', jobs.length);
    expect(calls).toEqual([100]);
  },
};

test('each line of the table of docs/how-to/flow-control.md has a case here, and each case a line', () => {
  expect([...lines.keys()]).toEqual(Object.keys(cases));
});

test.each([...lines])('%s: the code that stands beside it does that', async (want, code) => {
  await cases[want]!(code);
});
