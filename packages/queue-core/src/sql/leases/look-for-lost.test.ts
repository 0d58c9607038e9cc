import type { PrismaClient } from '@duework/database';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { enqueue, enqueueMany, jobRequest } from '../../enqueue/enqueue.js';
import { getJob } from '../../queue/operate.js';
import { claim, countBuffers, echo, useTestDatabase } from '@duework/testing/fixtures';
import { forgetWorkers } from '../workers/forget-workers.js';
import { hasWork } from '../claim/has-work.js';
import { lookForLost } from './look-for-lost.js';
import { registerContracts } from '../registry/register-contracts.js';
import { registerWorker } from '../workers/register-worker.js';
import { rescueRuns } from './rescue-runs.js';
import type { Queryable } from '@duework/sql';
import { unregisterWorker } from '../workers/unregister-worker.js';

const database = useTestDatabase();
const sessions: PrismaClient[] = [];

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.$disconnect()));
});
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.workers`;
});

async function backendPid(session: PrismaClient): Promise<number> {
  const [row] = await session.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`;
  return row.pid;
}

/** A session that shows that these workers live. */
async function openSession(...names: readonly string[]): Promise<PrismaClient> {
  const session = database.connect({ poolSize: 1 });
  sessions.push(session);
  const pid = await backendPid(session);
  for (const name of names) await registerWorker(session, name, pid);
  return session;
}

/** A session that has shown it, and has ended. */
async function endSession(...names: readonly string[]): Promise<void> {
  await (await openSession(...names)).$disconnect();
  while ((await missing()).length < names.length);
}

/** Runs of one queue and priority, in the order in which they are claimed; `over` are the places of those whose lease is. */
async function place(count: number, over: readonly number[]): Promise<void> {
  await database.db.$executeRaw`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'default', 'echo', 1, 5, now() - interval '1 min' + n * interval '1 microsecond', '{"n":1}', 10
    FROM generate_series(1, ${count}::int) AS n`;
  await database.db.$executeRaw`
    UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = 'ada', locked_until = now() - interval '1 second', claimed_at = now()
    WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER (ORDER BY run_at) FROM duework.job_runs) AS r (id, place) WHERE place = ANY(${over}::int[]))`;
}

/** A single turn, which is over. */
const outOfTurn = { turnSeconds: 10 ** 9, lastTurn: 1 };
const missing = async (): Promise<readonly string[]> => (await lookForLost(database.db)).missing;
const registered = async (): Promise<string[]> =>
  (await database.db.registeredWorker.findMany({ orderBy: { name: 'asc' } })).map(({ name }) => name);

describe('a check for lost runs', () => {
  test('finds the workers missing whose session has ended, and no others', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `host-${n}`).toSorted();
    await openSession(...names);
    await endSession('a', 'Ädä "the second"');
    expect(await registered()).toHaveLength(32);
    expect(await missing()).toEqual(['a', 'Ädä "the second"'].toSorted());
  });

  test('finds a worker present as long as any session of its name lives', async () => {
    const old = await openSession('ada');
    await openSession('ada');
    await old.$disconnect();
    expect(await missing()).toEqual([]);
  });

  test('is not misled by other locks', async () => {
    await endSession('ada');
    const other = database.connect({ poolSize: 1 });
    await other.$queryRaw`SELECT pg_advisory_lock_shared(hashtext('ada'))::text, pg_advisory_lock_shared(1, hashtext('ada'))::text`;
    expect(await missing()).toEqual(['ada']);
  });

  describe('touches a few pages, whatever the statistics say,', () => {
    const add = (queue: string, runAt: string, count: number): Promise<number> => database.db.$executeRaw`
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, status, attempts, fence, locked_by, locked_until, claimed_at)
      SELECT ${queue}::text, 'echo', 1, n % 10, now() + ${runAt}::text::interval, '{"n":1}', 10, CASE WHEN ${runAt}::text = '0' THEN 'running' ELSE 'queued' END,
        CASE WHEN ${runAt}::text = '0' THEN 1 ELSE 0 END, 1, CASE WHEN ${runAt}::text = '0' THEN 'ada' END,
        CASE WHEN ${runAt}::text = '0' THEN now() + interval '1 min' END, now()
      FROM generate_series(1, ${count}::int) AS n`;
    beforeEach(async () => {
      await database.db.$executeRaw`ALTER TABLE duework.job_runs SET (autovacuum_enabled = off)`;
      await database.db.$executeRaw`VACUUM ANALYZE duework.job_runs`;
    });
    const answer = { has_expired: false, missing: [], now_ms: 0, took_ms: 0, turn: null };
    async function countBoth(act: (db: Queryable) => Promise<unknown>, given: object = answer): Promise<number[]> {
      const engine = database.connectPg({ poolSize: 1 });
      const before = await countBuffers(engine, act, given);
      await database.db.$executeRaw`VACUUM ANALYZE duework.job_runs`;
      return [before, await countBuffers(engine, act, given)];
    }

    test('beside 60,000 future runs and a few that run', async () => {
      for (const queue of ['a', 'default', 'z']) {
        await add(queue, '1 day', 20_000);
        await add(queue, '0', 10);
      }
      // the way down the index for each of thirty queues and priorities, twice, and the catalogs
      for (const buffers of await countBoth((spy) => lookForLost(spy))) expect(buffers).toBeLessThan(500);
      for (const buffers of await countBoth((spy) => rescueRuns(spy, 500))) expect(buffers).toBeLessThan(500);
      for (const buffers of await countBoth(
        (spy) => hasWork(spy, { worker: 'w', queues: ['a'], contracts: new Map([['echo', echo]]) }),
        {
          has_work: false,
        },
      ))
        expect(buffers).toBeLessThan(700);
      expect(await database.db.$queryRaw`SELECT count(*)::int AS count FROM duework.running_runs`).toEqual([
        { count: 30 },
      ]);
    });

    test('beside 100,000 that wait and a few that run', async () => {
      await place(
        100_000,
        Array.from({ length: 30 }, (_, n) => n + 1),
      );
      await database.db
        .$executeRaw`UPDATE duework.job_runs SET locked_until = now() + interval '1 min' WHERE status = 'running'`;
      // two portions of them, in the pages in which they were enqueued
      for (const buffers of await countBoth((spy) => lookForLost(spy, outOfTurn))) expect(buffers).toBeLessThan(300);
    });

    test('beside 60,000 that run, where it checks only workers', async () => {
      await add('default', '0', 60_000);
      for (const buffers of await countBoth((spy) => lookForLost(spy, { isFull: false })))
        expect(buffers).toBeLessThan(100);
    });
  });
});

describe('a check for leases that are over', () => {
  test('goes as far as anything runs', async () => {
    await place(5_000, [1_900]);
    expect((await lookForLost(database.db, outOfTurn)).hasExpired).toBe(false);
    await database.db.$executeRaw`
      UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = 'bob', locked_until = now() + interval '1 min', claimed_at = now()
      WHERE id = (SELECT min(id) FROM duework.job_runs)`;
    expect(await lookForLost(database.db, outOfTurn)).toMatchObject({ hasExpired: true, turn: null });
  });

  test('goes on behind runs that somebody is taking', async () => {
    await place(2_000, [1_500]);
    expect((await lookForLost(database.db, outOfTurn)).hasExpired).toBe(false);
    await database.db.$transaction(async (tx) => {
      await claim(tx, 10);
      expect((await lookForLost(database.connect({ poolSize: 1 }), outOfTurn)).hasExpired).toBe(true);
    });
  });

  test('finds them behind any number of runs that nobody takes, by one of the workers in each turn', async () => {
    await place(5_000, [4_900]);
    await openSession('ada', 'bob');
    const looks = await Promise.all(
      ['ada', 'bob'].map((worker) => lookForLost(database.db, { worker, turnSeconds: 10 ** 9 })),
    );
    expect(looks.map(({ hasExpired, turn }) => ({ hasExpired, turn }))).toEqual([
      { hasExpired: false, turn: null },
      { hasExpired: true, turn: 1 },
    ]);
    expect(await lookForLost(database.db, { worker: 'bob', ...outOfTurn })).toMatchObject({
      hasExpired: false,
      turn: null,
    });
  });
});

describe('a session', () => {
  test('that comes from a pooler, declared or not, is no sign of life', async () => {
    await registerWorker(database.db, 'ada', 0);
    expect(await registered()).toEqual([]);
    await endSession('ada');
    await unregisterWorker(database.db, 'ada');
    expect(await registered()).toEqual([]);
  });

  test('that comes back while its worker is being forgotten registers it anew', async () => {
    await endSession('ada');
    const session = database.connect({ poolSize: 1 });
    sessions.push(session);
    const pid = await backendPid(session);
    let back: Promise<void> | undefined;
    await database.db.$transaction(async (tx) => {
      expect(await forgetWorkers(tx, ['ada'])).toEqual(['ada']);
      back = registerWorker(session, 'ada', pid);
      while (
        (
          await tx.$queryRaw<
            unknown[]
          >`SELECT FROM pg_locks WHERE pid = ${pid}::int AND locktype = 'advisory' AND NOT granted`
        ).length === 0
      );
    });
    await back;
    expect(await registered()).toEqual(['ada']);
    expect(await missing()).toEqual([]);
  });
});

describe('a rescue from a vanished worker', () => {
  test('takes its runs whatever their leases say, the attempts charged and on record, and no others', async () => {
    await enqueueMany(database.db, [
      jobRequest(echo, { n: 1 }),
      jobRequest(echo, { n: 2 }),
      jobRequest(echo, { n: 3 }, { maxAttempts: 1 }),
    ]);
    const [bobs] = await claim(database.db, 1, 'bob');
    const adas = await claim(database.db, 2, 'ada');
    await endSession('ada', 'bob');
    const rescued = await rescueRuns(database.db, 10, { workers: ['ada'] });
    expect(rescued.map((run) => run.id).toSorted()).toEqual(adas.map((run) => run.id).toSorted());
    expect(new Set(rescued.map((run) => run.status))).toEqual(new Set(['failed', 'dead']));
    const { job, attempts } = await getJob(database.db, rescued.find((run) => run.status === 'failed')!.id);
    expect(job).toMatchObject({ status: 'failed', attempts: 1, errorCode: 'worker_lost' });
    expect(attempts).toMatchObject([{ outcome: 'lost', worker: 'ada', errorMessage: job.lastError }]);
    expect((await getJob(database.db, bobs!.id)).job).toMatchObject({ status: 'running', worker: 'bob' });
  });

  test('takes nothing from one that has come back, and does not forget it', async () => {
    await enqueue(database.db, echo, { n: 1 });
    await claim(database.db, 1, 'ada');
    await endSession('ada');
    await openSession('ada');
    expect(await rescueRuns(database.db, 10, { workers: ['ada'] })).toEqual([]);
    expect(await forgetWorkers(database.db, ['ada'])).toEqual([]);
    expect(await registered()).toEqual(['ada']);
  });

  test('does not forget the worker while somebody has locked one of its runs', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    await claim(database.db, 1, 'ada');
    await endSession('ada');
    await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM duework.job_runs WHERE id = ${BigInt(id)} FOR UPDATE`;
      expect(await rescueRuns(database.connect({ poolSize: 1 }), 10, { workers: ['ada'] })).toEqual([]);
      expect(await forgetWorkers(database.connect({ poolSize: 1 }), ['ada'])).toEqual([]);
    });
    expect(await rescueRuns(database.db, 10, { workers: ['ada'] })).toMatchObject([{ id, worker: 'ada' }]);
    expect(await forgetWorkers(database.db, ['ada'])).toEqual(['ada']);
  });

  test('forgets what it could run as well, and nothing of the others', async () => {
    for (const worker of ['ada', 'bob'])
      await registerContracts(database.db, { worker, queues: ['default'], contracts: new Map([['echo', echo]]) });
    await endSession('ada', 'bob');
    expect(await forgetWorkers(database.db, ['ada'])).toEqual(['ada']);
    expect(await database.db.workerContracts.findMany()).toMatchObject([
      { worker: 'bob', contracts: { echo: [1, 1] } },
    ]);
  });

  test('gives back each run once, however many rescue, and one of them forgets the worker', async () => {
    await enqueueMany(
      database.db,
      Array.from({ length: 500 }, (_, n) => jobRequest(echo, { n })),
    );
    await claim(database.db, 500, 'ada');
    await endSession('ada');
    const rescuers = Array.from({ length: 10 }, () => database.connect({ poolSize: 1 }));
    const forgotten: string[] = [];
    const rescued = (
      await Promise.all(
        rescuers.map(async (db) => {
          const mine = [];
          while ((await registered()).length > 0) {
            mine.push(...(await rescueRuns(db, 20, { workers: ['ada'] })));
            forgotten.push(...(await forgetWorkers(db, ['ada'])));
          }
          return mine;
        }),
      )
    ).flat();
    expect(rescued).toHaveLength(500);
    expect(new Set(rescued.map((run) => run.id)).size).toBe(500);
    expect(forgotten).toEqual(['ada']);
  });
});
