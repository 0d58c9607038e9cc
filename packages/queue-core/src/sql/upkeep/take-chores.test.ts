import type { PrismaClient } from '@duework/database';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { enqueue, enqueueMany, jobRequest } from '../../enqueue/enqueue.js';
import { getJob } from '../../queue/operate.js';
import { claim, countBuffers, echo, useTestDatabase } from '@duework/testing/fixtures';
import { RESCUE } from '../../ports/upkeep.js';
import { forgetWorkers } from '../workers/forget-workers.js';
import { hasWork } from '../claim/has-work.js';
import { lookForLost, takeChores } from './take-chores.js';
import { announceContracts } from '../registry/announce-contracts.js';
import { registerWorker } from '../workers/register-worker.js';
import { rescueRuns } from '../leases/rescue-runs.js';
import type { Queryable } from '@duework/sql';
import { unregisterWorker } from '../workers/unregister-worker.js';

const database = useTestDatabase();
const sessions: PrismaClient[] = [];

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.$disconnect()));
});
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.workers, duework.chores`;
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

/** All that is due was looked at just now. */
const markAll = (): Promise<number> => database.db.$executeRaw`
  INSERT INTO duework.chores (name, taken_at) VALUES ('look at all', now()) ON CONFLICT (name) DO UPDATE SET taken_at = now()`;
const isOver = async (db: Queryable = database.db): Promise<boolean> => (await lookForLost(db)).lost!.hasExpired;
const missing = async (): Promise<readonly string[]> => (await lookForLost(database.db)).lost!.missing;
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
    const answer = { taken: [], is_over: false, missing: [], now_ms: 0, identity: null };
    async function countBoth(act: (db: Queryable) => Promise<unknown>, given: object = answer): Promise<number[]> {
      const engine = database.connectPg({ poolSize: 1 });
      const count = async (): Promise<number> => {
        // a session plans what its functions do when it calls them first, and reads the catalogs for it: both kinds of looks
        for (let calls = 0; calls < 2; calls++) await act(engine);
        return countBuffers(engine, act, given);
      };
      const before = await count();
      await database.db.$executeRaw`VACUUM ANALYZE duework.job_runs`;
      return [before, await count()];
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
      await markAll();
      for (const buffers of await countBoth((spy) => lookForLost(spy))) expect(buffers).toBeLessThan(300);
    });

    test('beside 60,000 that run, where it checks only workers', async () => {
      await add('default', '0', 60_000);
      await database.db
        .$executeRaw`INSERT INTO duework.chores (name, taken_at, rests_ms) VALUES ('look', now(), 60000)`;
      for (const buffers of await countBoth((spy) => lookForLost(spy))) expect(buffers).toBeLessThan(100);
    });
  });
});

describe('a look at leases', () => {
  test('goes as far as anything runs', async () => {
    await place(5_000, [1_900]);
    await markAll();
    expect(await isOver()).toBe(false);
    await database.db.$executeRaw`
      UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = 'bob', locked_until = now() + interval '1 min', claimed_at = now()
      WHERE id = (SELECT min(id) FROM duework.job_runs)`;
    await markAll();
    expect(await isOver()).toBe(true);
  });

  test('goes on behind runs that somebody is taking', async () => {
    await place(2_000, [1_500]);
    await markAll();
    expect(await isOver()).toBe(false);
    await database.db.$transaction(async (tx) => {
      await claim(tx, 10);
      await markAll();
      expect(await isOver(database.connect({ poolSize: 1 }))).toBe(true);
    });
  });

  test('finds one behind any number of runs that nobody takes, every half minute, and looks for it until it is gone', async () => {
    await place(5_000, [4_900]);
    for (let looks = 0; looks < 3; looks++) expect(await isOver()).toBe(true);
    await database.db
      .$executeRaw`UPDATE duework.job_runs SET locked_until = now() + interval '1 min' WHERE status = 'running'`;
    expect(await isOver()).toBe(false);
    const [{ taken_at: takenAt }] = await database.db.$queryRaw<
      [{ taken_at: Date }]
    >`SELECT taken_at FROM duework.chores WHERE name = 'look at all'`;
    expect(Date.now() - takenAt.getTime()).toBeLessThan(30_000);
  });

  test('leaves out leases for a hundred times as long as looks take, and for a minute at most', async () => {
    const [rests] = await database.db.$queryRaw<object[]>`
      SELECT duework.rest_after_look(5, 5) AS quick, duework.rest_after_look(110, 5) AS hiccup, duework.rest_after_look(110, 120) AS slow,
        duework.rest_after_look(100000, 100000) AS slowest`;
    expect(rests).toEqual({ quick: 0, hiccup: 0, slow: 6_000, slowest: 60_000 });
    await place(1, [1]);
    await database.db.$executeRaw`INSERT INTO duework.chores (name, taken_at, rests_ms) VALUES ('look', now(), 6000)`;
    // the sessions of workers are looked at in every case
    await endSession('ada');
    expect((await lookForLost(database.db)).lost).toEqual({ hasExpired: false, missing: ['ada'] });
    await database.db
      .$executeRaw`UPDATE duework.chores SET taken_at = taken_at - interval '6 seconds' WHERE name = 'look'`;
    expect(await isOver()).toBe(true);
  });

  test('that is slow is followed by none for a while, and one that has found something by the next one at once', async () => {
    await place(1, [1]);
    const slow = { took_ms: 200, rests_ms: 15_000 };
    const last = async (): Promise<unknown> =>
      (await database.db.$queryRaw<object[]>`SELECT took_ms, rests_ms FROM duework.chores WHERE name = 'look'`)[0];
    await database.db
      .$executeRaw`INSERT INTO duework.chores (name, taken_at, took_ms, rests_ms) VALUES ('look', now() - interval '1 hour', 200, 15000)`;
    expect(await last()).toEqual(slow);
    expect(await isOver()).toBe(true);
    expect(await last()).toEqual({ took_ms: 0, rests_ms: 0 });
  });
});

describe('chores', () => {
  const decade = 10 * 365 * 86_400_000;
  const take = async (db: Queryable, name: string, everyMs = decade) =>
    (await takeChores(db, [{ name, everyMs }])).taken;

  test('that another session is taking just now are left to it, and the others are not', async () => {
    await database.db.$transaction(async (tx) => {
      await take(tx, 'depth');
    });
    await database.db.$executeRaw`UPDATE duework.chores SET taken_at = '2000-01-01'`;
    const other = database.connect({ poolSize: 1 });
    await database.db.$transaction(async (tx) => {
      expect(await take(tx, 'depth')).toEqual(['depth']);
      const asked = ['depth', 'alerts'].map((name) => ({ name, everyMs: decade }));
      expect((await takeChores(other, asked)).taken).toEqual(['alerts']);
    });
    expect(await take(other, 'depth')).toEqual([]);
  });

  test('are somebody’s again in the next period, whatever has become of who had them, and after a step of the clock either way', async () => {
    const step = (by: string) =>
      database.db.$executeRaw`UPDATE duework.chores SET taken_at = taken_at + ${by}::text::interval`;
    for (const by of ['-10 years', '10 years', '100 years']) {
      await take(database.db, 'depth');
      expect(await take(database.db, 'depth')).toEqual([]);
      await step(by);
      expect(await take(database.db, 'depth')).toEqual(['depth']);
    }
  });

  test('of which there is nothing to do are nobody’s, and taken', async () => {
    await database.db.$executeRaw`TRUNCATE duework.expiries, duework.job_batch_changes, duework.bulk_undos`;
    const names = ['expire', 'batches', 'bulk_actions x'];
    const asked = names.map((name) => ({ name, everyMs: decade }));
    expect((await takeChores(database.db, asked)).taken).toEqual([]);
    await enqueue(database.db, echo, { n: 1 }, { expiresAfter: '1s' });
    await database.db.$executeRaw`UPDATE duework.expiries SET at = now()`;
    await database.db.$executeRaw`INSERT INTO duework.job_batch_changes (batch_id) VALUES ('b')`;
    expect((await takeChores(database.db, asked)).taken).toEqual([]);
    await database.db.$executeRaw`TRUNCATE duework.chores`;
    expect((await takeChores(database.db, asked)).taken.toSorted()).toEqual(['batches', 'expire']);
  });

  test('are asked for without writing anything, by all but one in each period', async () => {
    const asked = [RESCUE, 'depth'].map((name) => ({ name, everyMs: decade }));
    await takeChores(database.db, asked);
    const written = async (): Promise<unknown> =>
      database.db.$queryRaw`SELECT xmin::text, ctid::text FROM duework.chores ORDER BY name`;
    const before = await written();
    await Promise.all(Array.from({ length: 20 }, () => takeChores(database.db, asked)));
    expect(await written()).toEqual(before);
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
      await announceContracts(database.db, { worker, queues: ['default'], contracts: new Map([['echo', echo]]) });
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
