import { defineCatalog, defineJob, fixed, type Catalog } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { ageByDays, agedId, emptyTables, untilJob, useTestDatabase } from '@duework/testing/fixtures';
import type { Queryable } from '@duework/sql';
import { beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { enqueue } from '../enqueue/enqueue.js';
import { cancelJob, getJob } from '../queue/operate.js';
import type { Handlers } from '../run/handler.js';
import { announceContracts } from '../sql/registry/announce-contracts.js';
import { bury } from '../settle/outcome.js';
import { createPostgresStore } from '../store/postgres-store.js';
import { pruneRuns } from './prune-runs.js';

const database = useTestDatabase();
const KEEP = { keepDays: 10, keepDeadDays: 20 };
const payload = z.object({ n: z.int() });
const rules = { payload, durable: true, retry: fixed('1ms'), maxAttempts: 2, keepAttempts: 'all' } as const;
const idempotencyKey = ({ n }: { n: number }) => `${n}`;
const brief = defineJob({ ...rules, type: 'brief', idempotencyKey, keep: '3d', keepDead: '6d' });
const plain = defineJob({ ...rules, type: 'plain', idempotencyKey });
const long = defineJob({ ...rules, type: 'long', idempotencyKey, keep: '25d', keepDead: '30d' });
const parent = defineJob({ ...rules, type: 'parent' });
const catalog = defineCatalog([brief, plain, long, parent]);
const work: Handlers<readonly [typeof plain]>['plain'] = async ({ payload: { n }, attempt, once, step, progress }) => {
  progress({ n });
  await step('count', () => n);
  await once('mail', () => {});
  if (n === 13) return bury('unlucky', 'It never works.');
  if (attempt === 1) throw new Error('not yet');
  return undefined;
};
const handlers: Handlers<typeof catalog> = {
  brief: work as never,
  plain: work,
  long: work as never,
  parent: async ({ payload: { n }, child, sleep }) => {
    await child(brief, { n });
    await sleep('300d');
  },
};

beforeEach(async () => {
  await emptyTables(database.db);
  await database.db.$executeRaw`DELETE FROM duework.job_definitions`;
});

/** Runs one job of each of these, and returns their ids. */
async function run(contracts: readonly (typeof plain)[], n: number): Promise<string[]> {
  const { worker } = await startTestWorker<typeof catalog>(database.db, { catalog, handlers });
  const jobs = await Promise.all(contracts.map((contract) => enqueue(database.db, contract, { n })));
  await Promise.all(jobs.map(({ id }) => untilJob(database.db, id)));
  await worker.stop({ deadlineMs: 0 });
  return jobs.map(({ id }) => id);
}
const all = [brief, plain, long] as unknown as readonly (typeof plain)[];
const isThere = (id: string): Promise<boolean> =>
  getJob(database.db, id).then(
    () => true,
    () => false,
  );
const are = (ids: readonly string[], days: number): Promise<boolean[]> =>
  Promise.all(ids.map((id) => isThere(agedId(id, days))));
const left = async (): Promise<object> => {
  const [row] = await database.db.$queryRaw<object[]>`
    SELECT (SELECT count(*)::int FROM duework.job_attempts) AS attempts, (SELECT count(*)::int FROM duework.job_keys) AS keys,
      (SELECT count(*)::int FROM duework.job_effects) AS effects, (SELECT count(*)::int FROM duework.job_steps) AS steps`;
  return row!;
};
const pastDays = async (): Promise<string[]> => {
  const rows = await database.db.$queryRaw<{ name: string }[]>`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE 'job_history_succeeded_%'
      AND right(relname, 8) < to_char(now() - interval '12 days', 'YYYYMMDD')`;
  return rows.map(({ name }) => name);
};

test('each type is kept for its own time, to the day, with its attempts, effects, steps and key', async () => {
  const ids = await run(all, 1);
  const each = { attempts: 2, keys: 1, effects: 1, steps: 1 };
  const times = (count: number) => Object.fromEntries(Object.entries(each).map(([name, n]) => [name, n * count]));
  await pruneRuns(database.db, KEEP);
  expect(await left()).toEqual(times(3));
  let age = 0;
  const ageTo = async (days: number): Promise<void> => {
    await ageByDays(database.db, days - age);
    age = days;
    await pruneRuns(database.db, KEEP);
  };
  // the day on which it ended is followed by three whole ones
  await ageTo(3);
  expect(await are(ids, 3)).toEqual([true, true, true]);
  await ageTo(4);
  expect(await are(ids, 4)).toEqual([false, true, true]);
  expect(await left()).toEqual(times(2));
  await ageTo(12);
  expect(await are(ids, 12)).toEqual([false, false, true]);
  // no day has stayed for it, and of others only the attempts, which go with their days
  expect(await pastDays()).toEqual([]);
  expect(await left()).toEqual({ ...each, attempts: 4 });
  await ageTo(25);
  expect(await are(ids, 25)).toEqual([false, false, true]);
  expect(await left()).toEqual(each);
  expect(await getJob(database.db, agedId(ids[2]!, 25))).toMatchObject({
    job: { status: 'succeeded', progress: { n: 1 } },
    attempts: [{ outcome: 'failed' }, { outcome: 'succeeded' }],
  });
  expect(await enqueue(database.db, long, { n: 1 })).toMatchObject({ isDeduplicated: true });
  await ageTo(26);
  expect(await are(ids, 26)).toEqual([false, false, false]);
  expect(await left()).toEqual({ attempts: 0, keys: 0, effects: 0, steps: 0 });
});

test('dead runs go by keepDead of their type, cancelled ones by keep', async () => {
  const dead = await run(all, 13);
  const cancelled = await Promise.all(
    all.map(async (contract) => {
      const { id } = await enqueue(database.db, contract, { n: 2 });
      await cancelJob(database.db, id);
      return id;
    }),
  );
  const at = async (days: number, by: number): Promise<boolean[][]> => {
    await ageByDays(database.db, by);
    await pruneRuns(database.db, KEEP);
    return [await are(dead, days), await are(cancelled, days)];
  };
  const [yes, no] = [true, false];
  expect(await at(4, 4)).toEqual([
    [yes, yes, yes],
    [no, yes, yes],
  ]);
  expect(await at(7, 3)).toEqual([
    [no, yes, yes],
    [no, yes, yes],
  ]);
  expect(await at(22, 15)).toEqual([
    [no, no, yes],
    [no, no, yes],
  ]);
  expect(await at(28, 6)).toEqual([
    [no, no, yes],
    [no, no, no],
  ]);
  expect(await at(32, 4)).toEqual([
    [no, no, no],
    [no, no, no],
  ]);
  expect(await left()).toEqual({ attempts: 0, keys: 0, effects: 0, steps: 0 });
});

test('a child of a type that is kept for a shorter time stays as long as its parent, and goes then', async () => {
  const { worker } = await startTestWorker<typeof catalog>(database.db, { catalog, handlers });
  const { id } = await enqueue(database.db, parent, { n: 1 });
  while ((await database.db.jobStep.count({ where: { name: 'sleep 300d' } })) === 0);
  await worker.stop({ deadlineMs: 0 });
  const [child] = (await database.db.jobHistory.findMany()).map((one) => String(one.id));
  await ageByDays(database.db, 5);
  await pruneRuns(database.db, KEEP);
  expect(await are([id, child!], 5)).toEqual([true, true]);
  await cancelJob(database.db, agedId(id, 5));
  await ageByDays(database.db, 11);
  await pruneRuns(database.db, KEEP);
  await pruneRuns(database.db, KEEP);
  expect(await are([id, child!], 16)).toEqual([false, false]);
});

test('while programs say different things of a type the longest time counts, whoever has said it last', async () => {
  const about = (worker: string, contract: typeof plain) =>
    announceContracts(database.db, { worker, queues: ['default'], contracts: new Map([[contract.type, contract]]) });
  const register = (contract: typeof plain) =>
    createPostgresStore({ db: database.db }).prepare([contract] as unknown as Catalog);
  const of = async (): Promise<unknown> => await database.db.$queryRaw`SELECT * FROM duework.own_retention(10, 20)`;
  const [old, shorter, longer] = [null, '3d', '25d'].map((keep) =>
    defineJob({ ...rules, type: 'brief', ...(keep === null ? {} : { keep: keep as '3d' }) }),
  ) as unknown as [typeof plain, typeof plain, typeof plain];
  await register(old);
  await about('old', old);
  expect(await of()).toEqual([]);
  // a deploy shortens it: as long as an old worker runs, others are kept as it keeps them
  await register(shorter);
  await about('new', shorter);
  expect(await of()).toEqual([{ job_type: 'brief', ended: 10, dead: 20 }]);
  // the old one starts again, and writes the registry
  await register(old);
  expect(await of()).toEqual([{ job_type: 'brief', ended: 10, dead: 20 }]);
  await database.db.$executeRaw`DELETE FROM duework.worker_contracts WHERE worker = 'old'`;
  expect(await of()).toEqual([{ job_type: 'brief', ended: 10, dead: 20 }]);
  await register(shorter);
  expect(await of()).toEqual([{ job_type: 'brief', ended: 3, dead: 20 }]);
  // another deploy lengthens it: an old worker does not delete for its own time
  await about('newest', longer);
  expect(await of()).toEqual([{ job_type: 'brief', ended: 25, dead: 20 }]);
  await run([longer], 1);
  await ageByDays(database.db, 15);
  await about('newest', longer);
  await pruneRuns(database.db, KEEP);
  expect(await database.db.jobHistory.count()).toBe(1);
});

const JOBS = 40_000;
/** A day of jobs that have succeeded in statements of 500, every fourth of them of another type. */
async function fillDay(days: number, own: string): Promise<void> {
  await database.db.$executeRaw`SELECT duework.ensure_partitions(7, 16)`;
  await database.db.$executeRaw`
    WITH jobs AS (
      SELECT duework.first_id_today(-${days}::integer) + n AS id, CASE WHEN n % 4 = 0 THEN 'plain' ELSE ${own}::text END AS type,
        now() - ${days}::integer * interval '1 day' AS at, n / 500 AS batch
      FROM generate_series(1, ${JOBS}::integer) AS n
    ),
    newest AS (SELECT batch, type, max(id) AS id, array_agg(id) AS ids FROM jobs GROUP BY batch, type),
    attempts AS (
      INSERT INTO duework.job_attempts (run_id, fence, attempt, job_type, outcome, worker, claimed_at, finished_at)
      SELECT id, 1, 1, type, 'succeeded', 'w', at, at FROM jobs
    ),
    keys AS (INSERT INTO duework.job_keys (job_type, key, run_id) SELECT type, id::text, id FROM jobs)
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence,
      worker, claimed_at, created_at, finished_at, idempotency_key, is_newest, ended_with)
    SELECT j.id, 'default', j.type, 1, 'succeeded', 5, at, '{"n":1}', 1, 3, 1, 'w', at, at, at, j.id::text, n.id = j.id,
      CASE WHEN n.id = j.id THEN n.ids END
    FROM jobs AS j JOIN newest AS n ON n.batch = j.batch AND n.type = j.type`;
  await createPostgresStore({ db: database.db }).prepare(catalog);
}
const countsOf = (): Promise<unknown> => database.db.$queryRaw`
  SELECT (SELECT count(*)::int FROM duework.job_history WHERE job_type = 'plain') AS plain,
    (SELECT count(*)::int FROM duework.job_history WHERE job_type <> 'plain') AS own,
    (SELECT count(*)::int FROM duework.job_keys WHERE job_type <> 'plain') AS keys,
    (SELECT count(*)::int FROM duework.job_attempts WHERE job_type <> 'plain') AS attempts`;

/** Counts statements, each of which is a transaction of its own, and the most rows of the history that one of them has written. */
function watched(onStatement: () => void = () => {}) {
  const seen = { statements: 0, mostRows: 0 };
  const read = async (): Promise<number> => {
    const [row] = await database.db.$queryRaw<[{ n: number }]>`
      SELECT (count(*) FILTER (WHERE job_type <> 'plain' AND NOT is_late))::int AS n FROM duework.job_history`;
    return row!.n;
  };
  const db: Queryable = {
    $queryRaw: async (query, ...values) => {
      seen.statements++;
      const takes = JSON.stringify(query).includes('leave_days');
      const before = takes ? await read() : 0;
      const rows = await database.db.$queryRaw(query, ...values);
      if (takes) seen.mostRows = Math.max(seen.mostRows, before - (await read()));
      onStatement();
      return rows as never;
    },
  };
  return { db, seen };
}

test.each([
  ['for a shorter time leave it', 'brief', 5, 0],
  ['for a longer time leave it, and the day is dropped', 'long', 14, 30_000],
])('30,000 jobs of a day that are kept %s in portions, whose length is bounded, once', async (_, own, days, kept) => {
  await fillDay(days, own);
  const first = watched();
  await pruneRuns(first.db, KEEP);
  const plainLeft = days > 12 ? 0 : 10_000;
  expect(await countsOf()).toMatchObject([{ plain: plainLeft, own: kept, keys: kept }]);
  // a portion, and a statement's jobs that end it
  expect(first.seen.mostRows).toBeGreaterThan(5_000);
  expect(first.seen.mostRows).toBeLessThanOrEqual(10_500);
  const next = watched();
  await pruneRuns(next.db, KEEP);
  // 20 with nothing to do, and more where keys and attempts are looked at
  expect(next.seen.statements).toBeLessThan(30);
  expect(next.seen.mostRows).toBe(0);
});

test('one that is killed leaves the rest to the next one, and two at once take each job once', async () => {
  await fillDay(5, 'brief');
  // its connection is cut in the middle of a portion
  const client = new pg.Client(database.url);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await client.query('BEGIN');
  await client.query('SELECT duework.leave_by_type(10, 20, 10000)');
  await database.db.$queryRaw`SELECT pg_terminate_backend(${rows[0]!.pid}::integer)`;
  await client.end().catch(() => {});
  expect(await countsOf()).toMatchObject([{ own: 30_000, keys: 30_000, attempts: 30_000 }]);

  // told to stop after its first portion
  const told = new AbortController();
  const stopping = watched(() => {
    if (stopping.seen.mostRows > 0) told.abort();
  });
  await pruneRuns(stopping.db, KEEP, told.signal);
  expect(await countsOf()).not.toMatchObject([{ own: 30_000 }]);
  expect(await countsOf()).not.toMatchObject([{ own: 0 }]);

  await Promise.all([pruneRuns(database.db, KEEP), pruneRuns(database.db, KEEP)]);
  expect(await countsOf()).toEqual([{ plain: 10_000, own: 0, keys: 0, attempts: 0 }]);
});

test('a job whose key an enqueue holds in an open transaction stays until later, and nobody waits', async () => {
  const [id] = await run(all.slice(0, 1), 1);
  await ageByDays(database.db, 5);
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    await client.query(`BEGIN; SELECT FROM duework.job_keys WHERE job_type = 'brief' FOR UPDATE`);
    await pruneRuns(database.db, KEEP);
    expect(await are([id!], 5)).toEqual([true]);
    expect(await left()).toEqual({ attempts: 2, keys: 1, effects: 1, steps: 1 });
  } finally {
    await client.end();
  }
  await pruneRuns(database.db, KEEP);
  expect(await are([id!], 5)).toEqual([false]);
  expect(await left()).toEqual({ attempts: 0, keys: 0, effects: 0, steps: 0 });
});

test('what the retention will need, and the alert of dead runs that go soon, know the times of each type', async () => {
  const { db } = database;
  await fillDay(1, 'long');
  await pruneRuns(db, KEEP);
  const needed = async (): Promise<number> => {
    const [row] = await db.$queryRaw<[{ needed: number }]>`SELECT z.needed::float8 - s.bytes AS needed
      FROM duework.read_size() AS z, duework.table_sizes() AS s WHERE s.name = 'figures_days'`;
    return row!.needed;
  };
  const others = await needed();
  // three quarters of what succeeds are kept for 15 days more
  await db.$executeRaw`INSERT INTO duework.figures_days (at, queue, job_type, succeeded)
    SELECT date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '1 day', q, t, n
    FROM (VALUES ('', '*', 100), ('default', 'long', 75), ('default', 'plain', 25)) AS f (q, t, n)`;
  const [{ growth }] = await db.$queryRaw<[{ growth: number }]>`
    SELECT avg(s.bytes)::float8 AS growth FROM duework.table_sizes() AS s
    WHERE s.name = 'job_history_succeeded' AND s.day BETWEEN (now() AT TIME ZONE 'UTC')::date - 7 AND (now() AT TIME ZONE 'UTC')::date - 1`;
  expect(((await needed()) - others) / growth).toBeCloseTo(0.75 * 15, 2);
  await db.$executeRaw`DELETE FROM duework.figures_days`;

  await emptyTables(db);
  await createPostgresStore({ db }).prepare(catalog);
  await run(all, 13);
  const alert = () => db.$queryRaw`SELECT facts FROM duework.find_alerts() WHERE name = 'dead_runs_expire'`;
  await ageByDays(db, 2);
  expect(await alert()).toEqual([]);
  await ageByDays(db, 2);
  expect(await alert()).toMatchObject([{ facts: { runs: 1, keepDeadDays: 6 } }]);
  await ageByDays(db, 22);
  expect(await alert()).toMatchObject([{ facts: { runs: 2, keepDeadDays: 6 } }]);
});
