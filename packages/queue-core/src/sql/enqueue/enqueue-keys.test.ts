import { Prisma } from '@duework/database';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { enqueue, enqueueMany, jobRequest } from '../../enqueue/enqueue.js';
import { charge, echo, claim, untilItWaits, useTestDatabase } from '@duework/testing/fixtures';
import { completeRuns } from '../settle/complete-runs.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

const database = useTestDatabase();
const run = async (...statements: string[]): Promise<void> => {
  for (const statement of statements) await database.db.$executeRaw(Prisma.raw(statement));
};
beforeAll(() =>
  run(
    'ALTER TABLE duework.job_keys SET (autovacuum_enabled = off)',
    'ALTER TABLE duework.job_runs SET (autovacuum_enabled = off)',
  ),
);
afterEach(() => run('TRUNCATE duework.job_keys, duework.job_runs, duework.job_history'));

const single = (on: Queryable, invoice: number) => enqueue(on, charge, { invoice });
const batch = async (on: Queryable, invoice: number) =>
  (await enqueueMany(on, [jobRequest(charge, { invoice }), jobRequest(charge, { invoice })]))[0]!;
const ways: [string, typeof single][] = [
  ['alone', single],
  ['in a batch', batch],
];

/** The number of the transaction, if anything needed one, and the locks on rows that it waits for or has written. */
async function readMarks(tx: Queryable): Promise<object> {
  const [row] = await queryRows<object>(
    tx,
    sql`SELECT pg_current_xact_id_if_assigned()::text AS xid,
      (SELECT count(*)::int FROM pg_locks WHERE pid = pg_backend_pid() AND mode IN ('RowShareLock', 'RowExclusiveLock')) AS locks`,
  );
  return row!;
}

describe.each(ways)('%s, a key that is held', (_, act) => {
  test('is answered without a transaction number, a lock or a write', async () => {
    const first = await single(database.db, 1);
    await database.db.$transaction(async (tx) => {
      expect(await act(tx, 1)).toEqual({ ...first, isDeduplicated: true });
      expect(await readMarks(tx)).toEqual({ xid: null, locks: 0 });
    });
  });

  test('is answered while another transaction holds its row', async () => {
    const first = await single(database.db, 1);
    const client = database.connect({ poolSize: 1 });
    await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM duework.job_keys FOR UPDATE`;
      const { isWaiting, answer } = await untilItWaits(database.db, client, (on) => act(on, 1));
      expect({ isWaiting, id: (await answer).id }).toEqual({ isWaiting: false, id: first.id });
    });
  });

  test('tells where its run is now, also when that has ended', async () => {
    const first = await single(database.db, 1);
    const [claimed] = await claim(database.db, 1);
    expect(await act(database.db, 1)).toMatchObject({ id: first.id, status: 'running' });
    await completeRuns(database.db, [{ id: claimed!.id, fence: claimed!.fence, result: null }] as never);
    expect(await act(database.db, 1)).toMatchObject({ id: first.id, status: 'succeeded', isDeduplicated: true });
  });

  test('is free when retention has dropped its run', async () => {
    const first = await single(database.db, 1);
    await run('DELETE FROM duework.job_runs');
    const second = await act(database.db, 1);
    expect(second).toMatchObject({ status: 'queued', isDeduplicated: false });
    expect(second.id).not.toBe(first.id);
    expect(await act(database.db, 1)).toMatchObject({ id: second.id, isDeduplicated: true });
    expect(await database.db.jobRun.count()).toBe(1);
  });

  test('is taken over once by two who find its run dropped', async () => {
    const clients = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
    for (let invoice = 0; invoice < 20; invoice++) {
      await single(database.db, invoice);
      await run('DELETE FROM duework.job_runs');
      const jobs = await Promise.all(clients.map((client) => act(client, invoice)));
      expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
      expect(await database.db.jobRun.count()).toBe(1);
    }
  });

  test('is waited for until the transaction that takes it has ended', async () => {
    const client = database.connect({ poolSize: 1 });
    const { id, second } = await database.db.$transaction(async (tx) => ({
      id: (await single(tx, 1)).id,
      second: await untilItWaits(database.db, client, (on) => act(on, 1)),
    }));
    expect(second.isWaiting).toBe(true);
    expect(await second.answer).toMatchObject({ id, status: 'queued', isDeduplicated: true });
  });
});

test('a batch answers each request with its own run: new, held, dropped, expired, twice in it, without a key', async () => {
  const keyed = (n: number, key: string | null) => jobRequest(echo, { n }, { idempotencyKey: key });
  const [held, dropped, expired] = await enqueueMany(database.db, [
    keyed(1, 'held'),
    keyed(2, 'dropped'),
    keyed(3, 'expired'),
  ]);
  await run(
    `DELETE FROM duework.job_runs WHERE id = ${dropped!.id}`,
    `UPDATE duework.job_keys SET expires_at = now() - interval '1 s' WHERE key = 'expired'`,
  );
  const names = ['new', 'held', null, 'dropped', 'new', 'expired', 'held', null, 'dropped'];
  const jobs = await enqueueMany(
    database.db,
    names.map((name, n) => keyed(10 + n, name)),
  );
  expect(jobs.map(({ isDeduplicated }) => isDeduplicated)).toEqual([
    false,
    true,
    false,
    false,
    true,
    false,
    true,
    false,
    true,
  ]);
  expect([jobs[1]!.id, jobs[6]!.id]).toEqual([held!.id, held!.id]);
  expect([jobs[4]!.id, jobs[8]!.id]).toEqual([jobs[0]!.id, jobs[3]!.id]);
  expect([dropped!.id, expired!.id]).not.toContain(jobs[3]!.id);
  const rows = await database.db.jobRun.findMany({ orderBy: { id: 'asc' } });
  expect(rows.map(({ payload }) => (payload as { n: number }).n).sort((a, b) => a - b)).toEqual([
    1, 3, 10, 12, 13, 15, 17,
  ]);
  for (const [index, { id, isDeduplicated }] of jobs.entries())
    if (!isDeduplicated) expect(rows.find((row) => String(row.id) === id)!.payload).toEqual({ n: 10 + index });
});

test.each<[string, object, object, boolean]>([
  ['the same fields in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, false],
  ['another value', { a: 1 }, { a: 2 }, true],
  ['one more field', { a: 1 }, { a: 1, b: 1 }, true],
  ['what is encrypted, each time anew', { a: 1, to: { $sealed: 'k1.x' } }, { a: 1, to: { $sealed: 'k1.y' } }, false],
  ['another value beside what is encrypted', { a: 1, to: { $sealed: 'x' } }, { a: 2, to: { $sealed: 'y' } }, true],
  ['one before there were keys, and one after', { a: 1, to: 'b' }, { a: 1, to: { $sealed: 'y' } }, false],
  ['a text that looks encrypted', { a: '{"$sealed": "x"}' }, { a: '{"$sealed": "y"}' }, true],
])('payloads are compared by what they say: %s', async (_, a, b, differs) => {
  const [row] = await queryRows<{ differs: boolean }>(
    database.db,
    sql`SELECT duework.payloads_differ(${JSON.stringify(a)}::text::jsonb, ${JSON.stringify(b)}::text::jsonb) AS differs`,
  );
  expect(row!.differs).toBe(differs);
});

test('payloads of different versions of a contract are not compared', async () => {
  await single(database.db, 1);
  await run(`UPDATE duework.job_runs SET job_version = 2, payload = '{"invoice": 1, "lines": []}'`);
  expect(await single(database.db, 1)).toMatchObject({ isDeduplicated: true, payloadDiffers: false });
});

describe('a key is found by its index, whatever the statistics say', () => {
  let last = 0;
  const fill = (rows: number) =>
    run(
      `INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
       SELECT -id, 'default', 't', 1, 5, now(), '{}', 3 FROM generate_series(${last + 1}, ${last + rows}) AS id`,
      `INSERT INTO duework.job_keys (job_type, key, run_id)
       SELECT 't', id, -id FROM generate_series(${last + 1}, ${(last += rows)}) AS id`,
    );
  const analyse = () => run('VACUUM ANALYZE duework.job_keys', 'VACUUM ANALYZE duework.job_runs');

  test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['never analysed', async () => {}, () => fill(5_000)],
    ['that say there is nothing', analyse, () => fill(5_000)],
    ['that say how many there are', () => fill(20_000), analyse],
    ['of when there were ten', async () => (await fill(10), analyse()), () => fill(20_000)],
  ])('%s', async (_, before, after) => {
    const db = database.connect({ poolSize: 1 });
    await before();
    // the session makes its plans now, and keeps them
    for (let n = 0; n < 8; n++) for (const [, act] of ways) await act(db, 1_000 + n);
    await after();
    const scans = await db.$transaction(async (tx) => {
      const read = async () =>
        (
          await queryRows<{ scans: number }>(
            tx,
            sql`SELECT coalesce(sum(seq_scan), 0)::int AS scans FROM pg_stat_xact_user_tables WHERE schemaname = 'duework'`,
          )
        )[0]!.scans;
      const before = await read();
      for (const invoice of [1, 2, 1]) for (const [, act] of ways) await act(tx, invoice);
      return (await read()) - before;
    });
    expect(scans).toBe(0);
  });
});
