import { Prisma, type PgClient } from '@duework/database';
import { countBuffers, echo, useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, expect, test } from '@jest/globals';
import { enqueue } from '../../enqueue/enqueue.js';
import { cancelJob, freeKey, retryJob } from '../../queue/operate.js';
import { findJobs } from './find-jobs.js';
import { findStatus } from './find-status.js';
import { isCompleted } from '../settle/is-completed.js';
import { listJobs } from './list-jobs.js';
import type { Queryable } from '@duework/sql';

const database = useTestDatabase();
const run = (statement: string) => database.db.$executeRaw(Prisma.raw(statement));

/** The first id of a day, which has one run that succeeded, and today as many as pages need. */
const idOf = (daysAgo: number): string =>
  String((BigInt(Math.floor(Date.now() / 86_400_000)) - BigInt(daysAgo)) * 100_000_000_000n);

async function addDays(from: number, to: number): Promise<void> {
  await run(`SELECT duework.ensure_partitions(7, ${to})`);
  await run(`INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker,
      claimed_at, created_at, finished_at)
    SELECT duework.first_id_today(-d) + n, 'default', 'echo', 1, 'succeeded', 5, at, '{"n":1}', 1, 3, 1, 'w', at, at, at
    FROM generate_series(${from}, ${to}) AS d CROSS JOIN generate_series(0, CASE d WHEN 0 THEN 200 ELSE 0 END) AS n
    CROSS JOIN LATERAL (SELECT now() - d * interval '1 day' AS at) AS x`);
  await run(`INSERT INTO duework.job_attempts (run_id, fence, attempt, job_type, outcome, worker, claimed_at, finished_at, error_code)
    SELECT duework.first_id_today(-d), 1, 1, 'echo', 'failed', 'w', now(), now() - d * interval '1 day', 'x' FROM generate_series(${from}, ${to}) AS d`);
}

const DEAD = idOf(3000);
const CANCELLED = idOf(3001);
const LATE = idOf(3002);
const WAITING = idOf(3003);

async function addOthers(): Promise<void> {
  await run(`INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker,
      claimed_at, failed_at, error_code, last_error, cancel_requested_at, created_at, finished_at, is_late, idempotency_key)
    SELECT id, 'default', 'echo', 1, status, 5, now(), '{"n":1}', 1, 3, 1, 'w', now(), now(), 'x', 'x', now(), now(), now(), is_late, id::text
    FROM (VALUES (${DEAD}, 'dead', false), (${CANCELLED}, 'cancelled', false), (${LATE}, 'succeeded', true)) AS x (id, status, is_late)`);
  await run(`INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
    VALUES (${WAITING}, 'default', 'echo', 1, 5, now(), '{"n":1}', 3)`);
  await run(`INSERT INTO duework.job_keys (job_type, key, run_id) VALUES ('echo', 'taken', ${idOf(0)})`);
}

const page = (status?: 'succeeded' | 'dead' | 'cancelled' | 'queued', cursor?: string) => (db: Queryable) =>
  listJobs(db, { status, cursor, limit: 50 });

const READS: Record<string, (db: Queryable) => Promise<unknown>> = {
  'a run that succeeded': (db) => findJobs(db, [idOf(0)]),
  'a run that succeeded long ago': (db) => findJobs(db, [idOf(8)]),
  'a run that succeeded late': (db) => findJobs(db, [LATE]),
  'a dead run': (db) => findJobs(db, [DEAD]),
  'a cancelled run': (db) => findJobs(db, [CANCELLED]),
  'a waiting run': (db) => findJobs(db, [WAITING]),
  'no run': (db) => findJobs(db, ['5']),
  'the status of a run': (db) => findStatus(db, idOf(8)),
  'whether a claim has completed its run': (db) => isCompleted(db, idOf(0), 1),
  'a page of all runs': page(),
  'a page of what succeeded': page('succeeded'),
  'a page of what is dead': page('dead'),
  'a page of what was cancelled': page('cancelled'),
  'a page of what waits': page('queued'),
};

const WRITES: Record<string, (db: Queryable) => Promise<unknown>> = {
  'the retry of a dead run': (db) => retryJob(db, DEAD),
  'freeing the key of a dead run': (db) => freeKey(db, DEAD),
  'the cancellation of a waiting run': (db) => cancelJob(db, WAITING),
  'an enqueue with a key that is taken': (db) => enqueue(db, echo, { n: 1 }, { idempotencyKey: 'taken' }),
};

interface Cost {
  /** Tables and indexes that are locked: nothing is planned or opened without a lock. */
  readonly relations: number;
  /** What the statement touches, with what its functions do; of a write, none are counted. */
  readonly buffers: number;
}

const LOCKED = Prisma.raw(`
  SELECT count(DISTINCT relation)::integer AS relations FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation'
    AND relation IN (SELECT oid FROM pg_class WHERE relnamespace = 'duework'::regnamespace)`);

/** A row that every read can go on with. */
const ANSWER = { job: '{}', attempts: '[]', next: null };

async function costOf(db: PgClient, act: (db: Queryable) => Promise<unknown>, isRead: boolean): Promise<Cost> {
  const seen: { relations: number }[] = [];
  const rollBack = new Error('rolled back');
  // twice, because a session's first reads the catalog, and plans what functions plan once
  for (const turn of [1, 2])
    await db
      .$transaction(async (tx) => {
        await act(tx);
        const [row] = await tx.$queryRaw<{ relations: number }[]>(LOCKED);
        if (turn === 2) seen.push(row!);
        throw rollBack;
      })
      .catch((error: unknown) => {
        if (error !== rollBack) throw error;
      });
  return { relations: seen[0]!.relations, buffers: isRead ? await leastBuffers(db, act) : 0 };
}

/** The least of some counts: a session plans what functions do some times, and autovacuum makes it do so anew. */
async function leastBuffers(db: PgClient, act: (db: Queryable) => Promise<unknown>): Promise<number> {
  const counts = [];
  for (let turn = 0; turn < 10; turn++) counts.push(await countBuffers(db, act, ANSWER));
  return Math.min(...counts);
}

async function measure(): Promise<Record<string, Cost>> {
  const db = database.connectPg({ poolSize: 1 });
  const costs: Record<string, Cost> = {};
  for (const [name, act] of Object.entries(READS)) costs[name] = await costOf(db, act, true);
  for (const [name, act] of Object.entries(WRITES)) costs[name] = await costOf(db, act, false);
  return costs;
}

let week: Record<string, Cost>;
let year: Record<string, Cost>;

beforeAll(async () => {
  await addDays(0, 8);
  await addOthers();
  week = await measure();
  await addDays(9, 365);
  year = await measure();
});

test.each([...Object.keys(READS), ...Object.keys(WRITES)])(
  '%s opens no more tables, and reads no more of them, with a year of history than with a week',
  (name) => {
    expect(week[name]!.relations).toBeGreaterThan(0);
    expect(year[name]!.relations).toBeLessThanOrEqual(week[name]!.relations);
    // the planner may read the ends of an index: a few buffers, while autovacuum is at work; a day would be some for each of 357
    expect(year[name]!.buffers).toBeLessThanOrEqual(week[name]!.buffers + 20);
  },
);

test('a filter that fits no run leads to the end of a year in pages that each open some days', async () => {
  let cursor: string | undefined;
  let pages = 0;
  do {
    const { jobs, nextCursor } = await listJobs(database.db, {
      status: 'succeeded',
      type: 'nobody',
      cursor,
      limit: 50,
    });
    expect(jobs).toEqual([]);
    cursor = nextCursor ?? undefined;
    pages++;
  } while (cursor !== undefined);
  expect(pages).toBeGreaterThan(5);
  expect(pages).toBeLessThan(10);
});
