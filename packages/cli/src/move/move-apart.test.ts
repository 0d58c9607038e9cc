import { defineCatalog, defineJob } from '@duework/contracts';
import { enqueue } from '@duework/queue-core';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeWorkerUtils } from 'graphile-worker';
import { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { openGraphilePool } from './testing/open-graphile-pool.js';
import { useMoves } from './testing/use-moves.js';

const sendMail = defineJob({ type: 'send-mail', payload: z.object({ n: z.int() }) });
const { database, run, atEnd } = useMoves(defineCatalog([sendMail]));
const other = useTestDatabase();
const SYSTEMS = ['pg-boss', 'graphile-worker'] as const;
type System = (typeof SYSTEMS)[number];
const RUN_AT = new Date('2050-01-01T00:00:00.000Z');

beforeAll(async () => {
  const pgPool = openGraphilePool(other.url);
  const utils = await makeWorkerUtils({ pgPool });
  await utils.migrate();
  await utils.release();
  atEnd(() => pgPool.end());
  await withBoss((boss) => boss.createQueue('send-mail', { policy: 'short', retryLimit: 4 }));
});
beforeEach(async () => {
  await other.db.$executeRaw`DELETE FROM pgboss.job`;
  await other.db.$executeRaw`DELETE FROM graphile_worker._private_jobs`;
  await emptyTables(database.db, 'job_runs, job_history, job_keys, carried_jobs');
});

/** On a pool that is ended here: one of its own goes on closing after it says that it has stopped. */
async function withBoss<T>(act: (boss: PgBoss) => Promise<T>): Promise<T> {
  const pool = new Pool({ connectionString: other.url });
  const db = { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) };
  const boss = new PgBoss({ db, supervise: false, schedule: false });
  await boss.start();
  try {
    return await act(boss);
  } finally {
    await boss.stop({ graceful: false });
    await pool.end();
  }
}

/** 1 is due, 2 waits until 2050, 3 has failed once of five times, 4 for good. */
async function seed(system: System): Promise<void> {
  if (system === 'pg-boss') {
    await withBoss(async (boss) => {
      for (const n of [1, 2, 3, 4])
        await boss.send('send-mail', { n }, { singletonKey: `key ${n}`, ...(n === 2 ? { startAfter: RUN_AT } : {}) });
    });
    await other.db.$executeRaw`
      UPDATE pgboss.job SET started_on = now(), output = '{"message":"no"}', start_after = '2050-01-01Z',
        state = CASE data ->> 'n' WHEN '3' THEN 'retry' ELSE 'failed' END::pgboss.job_state,
        retry_count = CASE data ->> 'n' WHEN '3' THEN 0 ELSE 4 END WHERE data ->> 'n' IN ('3', '4')`;
    return;
  }
  for (const n of [1, 2, 3, 4])
    await other.db.$queryRaw`
      SELECT id::text FROM graphile_worker.add_job('send-mail', json_build_object('n', ${n}::integer),
        run_at := CASE WHEN ${n}::integer = 1 THEN now() ELSE '2050-01-01Z' END, max_attempts := 5, job_key := ${`key ${n}`}::text)`;
  await other.db.$executeRaw`
    UPDATE graphile_worker._private_jobs SET last_error = 'no', attempts = CASE payload ->> 'n' WHEN '3' THEN 1 ELSE 5 END
    WHERE payload ->> 'n' IN ('3', '4')`;
}
const there = async (system: System) =>
  system === 'pg-boss'
    ? other.db.$queryRaw<object[]>`
      SELECT (to_jsonb(j) - 'keep_until')::text FROM pgboss.job AS j ORDER BY data ->> 'n'`
    : other.db.$queryRaw<object[]>`
      SELECT to_jsonb(j)::text FROM graphile_worker._private_jobs AS j ORDER BY payload ->> 'n'`;
const here = async () =>
  database.db.$queryRaw<object[]>`
    SELECT (payload ->> 'n')::integer AS n, status, attempts FROM duework.jobs WHERE job_type = 'send-mail' ORDER BY 1`;
const onTheirWay = async (system: System) =>
  system === 'pg-boss'
    ? other.db.$queryRaw<object[]>`SELECT name FROM pgboss.duework_moving`
    : other.db.$queryRaw<object[]>`SELECT name FROM graphile_worker.duework_moving`;

/** A client whose transaction number `last` fails just before its commit, or just after it. */
function dying(db: typeof other.db, last: number, when: 'before' | 'after') {
  let count = 0;
  return {
    $connect: () => {},
    $queryRaw: (...args: [never]) => db.$queryRaw(...args),
    async $transaction(act: (tx: unknown) => Promise<unknown>, options?: object) {
      const isLast = ++count === last;
      const answer = await db.$transaction(async (tx) => {
        const made = await act(tx);
        if (isLast && when === 'before') throw new Error('killed');
        return made;
      }, options);
      if (isLast) throw new Error('killed');
      return answer;
    },
  };
}
const move = (system: System, more: readonly string[] = [], given: object = {}) =>
  run(['--from', system, '--from-database', other.url, '--yes', '--json', ...more], {
    otherDb: async () => other.db,
    ...given,
  });
const ALL = [
  { n: 1, status: 'queued', attempts: 0 },
  { n: 2, status: 'queued', attempts: 0 },
  { n: 3, status: 'failed', attempts: 1 },
  { n: 4, status: 'dead', attempts: 5 },
];

test.each(SYSTEMS)('jobs of %s move from a database of its own, and go back as they were', async (system) => {
  await seed(system);
  const before = await there(system);
  const { out } = await move(system);
  expect(JSON.parse(out)).toMatchObject({
    moved: [{ name: 'send-mail', waiting: 3, dead: 1 }],
    stays: [],
    isDone: true,
  });
  expect(await here()).toEqual(ALL);
  expect(await there(system)).toEqual([]);
  expect(await onTheirWay(system)).toEqual([]);
  await enqueue(database.db, sendMail, { n: 5 });
  const back = JSON.parse((await move(system, ['--undo'])).out) as object;
  expect(back).toMatchObject({ moved: [{ name: 'send-mail', waiting: 4, dead: 1 }], stays: [] });
  expect(await here()).toEqual([]);
  const after = await there(system);
  expect(after.slice(0, 4)).toEqual(before);
  expect(after).toHaveLength(5);
});

test.each(
  SYSTEMS.flatMap((system) =>
    (['before', 'after'] as const).flatMap((when) =>
      (
        [
          ['the old one', 1],
          ['this one', 1],
          ['the old one', 2],
        ] as const
      ).map((what) => [system, when, ...what] as const),
    ),
  ),
)(
  'a move from %s that is killed %s the commit in %s (%i) is gone on with by the next, once',
  async (system, when, which, last) => {
    await seed(system);
    const before = await there(system);
    const killed = (on: string, db: typeof other.db) => async () => (which === on ? dying(db, last, when) : db);
    const hurt = { db: killed('this one', database.db), otherDb: killed('the old one', other.db) };
    await expect(move(system, [], hurt)).rejects.toThrow('killed');
    // never in two places
    expect((await there(system)).length * (await here()).length).toBe(0);
    await move(system);
    expect(await here()).toEqual(ALL);
    expect(await there(system)).toEqual([]);
    expect(await onTheirWay(system)).toEqual([]);
    await expect(move(system, ['--undo'], hurt)).rejects.toThrow('killed');
    await move(system, ['--undo']);
    expect(await here()).toEqual([]);
    expect(await there(system)).toEqual(before);
  },
);

test.each(SYSTEMS)('a job of %s whose key is taken here goes back there, and is named', async (system) => {
  await seed(system);
  const before = await there(system);
  const { id } = await enqueue(database.db, sendMail, { n: 9 }, { idempotencyKey: 'key 1' });
  const { stays } = JSON.parse((await move(system)).out) as { stays: unknown };
  expect(stays).toMatchObject([{ jobs: 1, why: `its key is that of the job ${id} here` }]);
  expect(await there(system)).toEqual(before.slice(0, 1));
  expect(await onTheirWay(system)).toEqual([]);
});

test('a job whose queue is gone there stays here, and is named; a schedule of pg-boss is told', async () => {
  await withBoss((boss) => boss.schedule('send-mail', '0 3 * * *', { n: 1 }));
  await seed('pg-boss');
  const { schedules } = JSON.parse((await move('pg-boss')).out) as { schedules: unknown };
  expect(schedules).toMatchObject([{ name: 'send-mail', key: null, stays: expect.stringContaining('unschedule') }]);
  await withBoss(async (boss) => {
    await boss.unschedule('send-mail');
    await boss.deleteQueue('send-mail');
  });
  const { stays } = JSON.parse((await move('pg-boss', ['--undo'])).out) as { stays: unknown };
  expect(stays).toMatchObject([{ jobs: 3, why: 'its key is taken there, or its queue is gone' }]);
  expect(await here()).toMatchObject([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
});
