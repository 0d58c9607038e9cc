import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Prisma } from '@duework/database';
import { cancelJob, createPostgresStore, enqueue, enqueueMany, jobRequest, retryJob } from '@duework/queue-core';
import { charge, claim, countBuffers, echo, gate, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readEndedJobs } from './read-ended-jobs.js';

const database = useTestDatabase();
const ERROR = { code: 'boom', type: 'Error', message: 'broke', stack: null };
const store = () => createPostgresStore({ db: database.db });

beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.job_history, duework.job_keys`;
});

let invoice = 0;
const someOf = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    n % 2 === 0 ? jobRequest(echo, { n }) : jobRequest(charge, { invoice: ++invoice }),
  );
/** Enqueues jobs of two types in turns, and settles those that are claimed in one statement. */
async function succeed(count: number): Promise<string[]> {
  await enqueueMany(database.db, someOf(count));
  const runs = await claim(database.db, count);
  await store().settle(runs.map(({ id, fence }) => ({ kind: 'complete', id, fence, result: null })));
  return runs.map(({ id }) => id);
}
async function die(): Promise<string> {
  await enqueue(database.db, echo, { n: 1 });
  const [run] = await claim(database.db, 1);
  const { id, fence } = run!;
  await store().settle([{ kind: 'bury', id, fence, error: ERROR, abort: null }]);
  return id;
}
async function cancel(db = database.db): Promise<string> {
  const { id } = await enqueue(db, echo, { n: 2 });
  await cancelJob(db, id);
  return id;
}
async function expire(): Promise<string> {
  const { id } = await enqueue(database.db, echo, { n: 3 }, { expiresAfter: '1ms' });
  await database.db.$queryRaw`SELECT pg_sleep(0.01)::text`;
  expect((await store().expire(100)).expired).toHaveLength(1);
  return id;
}
/** Pages from a cursor until so many ends are told: what else runs in this server holds a page back for a moment. */
async function readAll(count: number, options: Parameters<typeof readEndedJobs>[1] = {}) {
  const told: { id: string; status: string }[] = [];
  for (let after = options.after; ;) {
    const { jobs, cursor, isCaughtUp } = await readEndedJobs(database.db, { ...options, after });
    told.push(...jobs.map(({ id, status }) => ({ id, status })));
    if (isCaughtUp && told.length >= count) return { told, ids: told.map(({ id }) => id), cursor };
    if (!isCaughtUp) expect(cursor).not.toBe(after);
    after = cursor;
  }
}
const byNumber = (one: string, other: string): number => Number(one) - Number(other);

test.each([1, 2, 3, 7, 200])('every end is told once in pages of %i, whatever it was', async (limit) => {
  const before = await succeed(9);
  const [dead, cancelled, expired] = [await die(), await cancel(), await expire()];
  const after = await succeed(4);
  const { told, ids, cursor } = await readAll(16, { limit });
  expect([...ids].sort(byNumber)).toEqual([...before, dead, cancelled, expired, ...after].sort(byNumber));
  const statusOf = new Map(told.map(({ id, status }) => [id, status]));
  expect([dead, cancelled, expired].map((id) => statusOf.get(id))).toEqual(['dead', 'cancelled', 'cancelled']);
  expect(ids.indexOf(dead)).toBeLessThan(ids.indexOf(cancelled));
  expect((await readAll(0, { after: cursor })).ids).toEqual([]);
  const later = await die();
  expect((await readAll(1, { after: cursor })).ids).toEqual([later]);
});

test('of some types only their ends are told, also of what succeeded together with others', async () => {
  await succeed(8);
  expect((await readAll(8)).ids).toHaveLength(8);
  const { jobs } = await readEndedJobs(database.db, { types: ['charge'], limit: 200 });
  expect(jobs.map(({ type }) => type)).toEqual(Array.from({ length: 4 }, () => 'charge'));
  expect((await readAll(4, { types: ['charge'], limit: 1 })).ids).toHaveLength(4);
  expect((await readAll(0, { types: ['another'] })).ids).toEqual([]);
  expect((await readAll(0, { types: [] })).ids).toEqual([]);
});

test('an end that commits after later ones is told all the same', async () => {
  const { cursor } = await readEndedJobs(database.db, { after: 'now' });
  const [written, mayCommit] = [gate(), gate()];
  let early = '';
  const slow = database.db.$transaction(
    async (tx) => {
      early = await cancel(tx as typeof database.db);
      written.open();
      await mayCommit.promise;
    },
    { timeout: 60_000 },
  );
  await written.promise;
  const late = await die();
  const first = await readAll(0, { after: cursor });
  expect(first.ids).toEqual([]);
  mayCommit.open();
  await slow;
  expect((await readAll(2, { after: first.cursor })).ids.sort(byNumber)).toEqual([early, late].sort(byNumber));
});

test('ends of one transaction, of several statements, are told once in pages of one', async () => {
  const ids: string[] = [];
  await database.db.$transaction(async (tx) => {
    for (let n = 0; n < 5; n++) ids.push(await cancel(tx as typeof database.db));
  });
  expect((await readAll(5, { limit: 1 })).ids).toEqual(ids);
});

test('a job that is retried and ends again is told again', async () => {
  const id = await die();
  const { ids, cursor } = await readAll(1);
  await retryJob(database.db, id);
  await cancelJob(database.db, id);
  expect(ids).toEqual([id]);
  expect((await readAll(1, { after: cursor })).told).toEqual([{ id, status: 'cancelled' }]);
});

test('now is behind what has ended, and before what will end', async () => {
  await succeed(3);
  await readAll(3);
  const { jobs, cursor, isCaughtUp } = await readEndedJobs(database.db, { after: 'now' });
  expect([jobs, isCaughtUp]).toEqual([[], true]);
  const id = await die();
  expect((await readAll(1, { after: cursor })).ids).toEqual([id]);
});

describe('a cursor', () => {
  test.each(['', 'x', '1-2-3', '-1-0-0-0', '1-0-0-0 ', '1-0-0-0; --', '99999999999999999999-0-0-0'])(
    '%j is refused as none',
    (after) => expect(readEndedJobs(database.db, { after })).rejects.toMatchObject({ code: 'invalid_cursor' }),
  );

  test('that is ahead of the database is refused, because its ends would be missed', () =>
    expect(readEndedJobs(database.db, { after: '9000000000000000000-0-0-20000' })).rejects.toMatchObject({
      code: 'cursor_ahead',
    }));

  test.each([0, 201, 1.5])('with a limit of %d is refused', (limit) =>
    expect(readEndedJobs(database.db, { limit })).rejects.toMatchObject({ code: 'invalid_option' }),
  );
});

describe('beside writers that commit out of order', () => {
  const program = fileURLToPath(new URL('../testing/read-until-killed.mjs', import.meta.url));
  interface Told {
    readonly ids: readonly string[];
    readonly cursor: string;
  }

  test('a reader that is killed again and again is told every end at least once', async () => {
    const told = new Set<string>();
    let { cursor } = await readEndedJobs(database.db, { after: 'now' });
    const over = new AbortController();
    let kills = 0;
    let running: ChildProcess;
    const read = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const reader = (running = fork(program, [database.url, cursor]));
        let pages = 0;
        reader.on('message', ({ ids, cursor: next }: Told) => {
          // it sent these before it was killed, and they came afterwards
          if (reader.killed) return;
          for (const id of ids) told.add(id);
          // the crash comes before the cursor of this page is stored
          if (ids.length > 0 && ++pages > kills && kills < 3) return void reader.kill('SIGKILL');
          cursor = next;
        });
        await once(reader, 'exit');
        kills++;
      }
    };
    const reading = read();
    const ended = (await Promise.all(Array.from({ length: 4 }, (_, n) => writeEnds(n)))).flat();
    const isTold = (): boolean => ended.every((id) => told.has(id));
    while (!isTold()) await database.db.$queryRaw`SELECT pg_sleep(0.02)::text`;
    over.abort();
    running!.kill('SIGKILL');
    await reading;
    expect(ended).toHaveLength(4 * 20);
    expect(kills).toBe(4);
  });

  /** Twenty ends, most in transactions that stay open for longer than others that began later. */
  async function writeEnds(writer: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) {
      await database.db.$transaction(
        async (tx) => {
          ids.push(await cancel(tx as typeof database.db));
          await tx.$queryRaw`SELECT pg_sleep(${((writer * 13 + n * 7) % 10) / 50}::float8)::text`;
          ids.push(await cancel(tx as typeof database.db));
        },
        { timeout: 60_000, maxWait: 60_000 },
      );
    }
    return ids;
  }
});

test('a page touches a bounded number of buffers, beside 40 days of 50,000 ends and for a type that is rare', async () => {
  await database.db.$executeRaw`SELECT duework.ensure_partitions(0, 40)`;
  await database.db.$executeRaw(
    Prisma.raw(`INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts,
      max_attempts, fence, worker, claimed_at, created_at, finished_at)
    SELECT duework.first_id_today(-(n % 40)) + n, 'default', 'many', 1, 'succeeded', 5, now(), '{}', 1, 3, 1, 'w', now(), now(), now()
    FROM generate_series(1, 50000) AS n`),
  );
  const { cursor } = await readEndedJobs(database.db, { after: 'now' });
  await database.db.$executeRaw(
    Prisma.raw(`INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts,
      max_attempts, fence, worker, claimed_at, created_at, finished_at)
    SELECT duework.first_id_today(0) + 60000 + n, 'default', 'many', 1, 'succeeded', 5, now(), '{}', 1, 3, 1, 'w', now(), now(), now()
    FROM generate_series(1, 20000) AS n`),
  );
  const session = database.connectPg({ poolSize: 1 });
  const answer = { job: null, cursor: '1-0-0-0', is_caught_up: true };
  const measure = (options: Parameters<typeof readEndedJobs>[1]) =>
    countBuffers(session, (db) => readEndedJobs(db, options), answer);
  // the first time the session reads what the catalog says of the partitions
  const count = async (options: Parameters<typeof readEndedJobs>[1]) =>
    Math.min(await measure(options), await measure(options));
  const idle = (await readEndedJobs(database.db, { after: 'now' })).cursor;
  expect(await count({ after: cursor, limit: 50 })).toBeLessThan(300);
  expect(await count({ after: idle })).toBeLessThan(300);
  expect(await count({ after: cursor, types: ['rare'] })).toBeLessThan(300);
  // only the first page opens every day
  expect(await count({ limit: 50 })).toBeLessThan(500);
});
