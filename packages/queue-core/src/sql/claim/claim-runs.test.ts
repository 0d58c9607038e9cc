import { beforeEach, describe, expect, test } from '@jest/globals';
import { enqueue, enqueueMany, jobRequest } from '../../enqueue/enqueue.js';
import { claim, countBuffers, echo, testContracts, untilItWaits, useTestDatabase } from '@duework/testing/fixtures';
import { openQueue } from '../../queue/open-queue.js';
import { claimRuns } from './claim-runs.js';
import { completeRuns } from '../settle/complete-runs.js';

const database = useTestDatabase();

beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.pauses`;
});

const numbersOf = (runs: readonly { payload: unknown }[]): number[] =>
  runs.map((run) => (run.payload as { n: number }).n);

describe('claim', () => {
  test('returns how long it ran in the server, without what its transaction did before', async () => {
    const took = await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT pg_sleep(0.3)::text`;
      const sentMs = performance.now();
      const { tookMs } = await claimRuns(tx, { queue: 'default', contracts: testContracts, worker: 'w', limit: 10 });
      return { tookMs, waitedMs: performance.now() - sentMs };
    });
    expect(took.tookMs).toBeGreaterThan(0);
    expect(took.tookMs).toBeLessThan(took.waitedMs);
  });

  test('returns when the next run of its queue becomes due, of any priority, where nothing is due now', async () => {
    const request = { queue: 'default', contracts: testContracts, worker: 'w', limit: 10 };
    await enqueueMany(database.db, [
      jobRequest(echo, { n: 1 }, { delay: '2h', priority: 0 }),
      jobRequest(echo, { n: 2 }, { delay: '1h' }),
    ]);
    const { runs, dueInMs } = await claimRuns(database.db, request);
    expect(runs).toEqual([]);
    expect(dueInMs).toBeGreaterThan(3_500_000);
    expect(dueInMs).toBeLessThanOrEqual(3_600_000);
    expect(await claimRuns(database.db, { ...request, queue: 'other' })).toMatchObject({ runs: [], dueInMs: null });
  });

  test('returns when the pause of its queue or of a type ends, where nothing else comes before', async () => {
    const queue = openQueue(database.db);
    const request = { queue: 'default', contracts: testContracts, worker: 'w', limit: 10 };
    const until = new Date(Date.now() + 60_000);
    await enqueue(database.db, echo, { n: 1 });
    for (const [pause, name, resume] of [
      [queue.pauseQueue, 'default', queue.resumeQueue],
      [queue.pauseType, 'echo', queue.resumeType],
    ] as const) {
      await pause(name, { until });
      const { runs, dueInMs, pauses } = await claimRuns(database.db, request);
      expect({ runs, pauses: pauses.length }).toEqual({ runs: [], pauses: 1 });
      expect(dueInMs).toBeGreaterThan(50_000);
      expect(dueInMs).toBeLessThanOrEqual(60_000);
      await resume(name);
    }
  });

  test('looks at no run of a queue that is paused, whatever waits in it', async () => {
    await database.db.$executeRaw`
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
      SELECT 'default', 'echo', 1, 5, now(), '{"n":1}', 10 FROM generate_series(1, 5000)`;
    const buffers = (queue: string) =>
      countBuffers(
        database.connectPg({ poolSize: 1 }),
        (spy) => claimRuns(spy, { queue, contracts: testContracts, worker: 'w', limit: 500 }),
        { runs: null, pauses: null },
      );
    await openQueue(database.db).pauseQueue('default');
    expect(await buffers('default')).toBeLessThan(20);
  });

  test('writes into the pages of its runs, and nothing into an index, however large they are', async () => {
    for (const bytes of [10, 300, 1_500]) {
      await database.db.$executeRaw`TRUNCATE duework.job_runs`;
      await database.db.$executeRaw`
        INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
        SELECT 'default', 'echo', 1, 5, now(), jsonb_build_object('n', n, 'text', repeat('x', ${bytes}::int)), 10 FROM generate_series(1, 2000) AS n`;
      const updates = await database.connect({ poolSize: 1 }).$transaction(async (tx) => {
        expect(await claim(tx, 2_000)).toHaveLength(2_000);
        return tx.$queryRaw`
          SELECT pg_stat_get_xact_tuples_updated(oid)::int AS all, pg_stat_get_xact_tuples_hot_updated(oid)::int AS hot
          FROM pg_class WHERE oid = 'duework.job_runs'::regclass`;
      });
      expect(updates).toEqual([{ all: 2_000, hot: 2_000 }]);
    }
  });

  test('20 claimers over 5,000 runs: each run exactly once', async () => {
    await enqueueMany(
      database.db,
      Array.from({ length: 5_000 }, (_, n) => jobRequest(echo, { n })),
    );
    const claimers = Array.from({ length: 20 }, () => database.connect({ poolSize: 1 }));
    const taken = await Promise.all(
      claimers.map(async (db, index) => {
        const mine: string[] = [];
        for (
          let runs = await claim(db, 7, `claimer-${index}`);
          runs.length > 0;
          runs = await claim(db, 7, `claimer-${index}`)
        ) {
          expect(runs.length).toBeLessThanOrEqual(7);
          mine.push(...runs.map((run) => run.id));
          await completeRuns(
            db,
            runs.map(({ id, fence }) => ({ id, fence, result: null })),
          );
        }
        return mine;
      }),
    );
    // SKIP LOCKED leaves locked rows to the claimer that holds them, so no run is left and none was claimed twice
    expect(new Set(taken.flat()).size).toBe(5_000);
    expect(taken.flat()).toHaveLength(5_000);
    expect(await database.db.jobRun.count()).toBe(0);
    expect(await database.db.jobHistory.count({ where: { status: 'succeeded', attempts: 1 } })).toBe(5_000);
  });

  test('a run that another transaction holds is skipped, not waited for', async () => {
    const [first, second] = await enqueueMany(database.db, [jobRequest(echo, { n: 1 }), jobRequest(echo, { n: 2 })]);
    const beside = await database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM duework.job_runs WHERE id = ${BigInt(first!.id)} FOR UPDATE`;
      return untilItWaits(database.db, database.connect({ poolSize: 1 }), (other) => claim(other, 10));
    });
    expect(beside.isWaiting).toBe(false);
    expect((await beside.answer).map((run) => run.id)).toEqual([second!.id]);
    expect((await claim(database.db, 10)).map((run) => run.id)).toEqual([first!.id]);
  });

  test('returns every column of a run to its worker as it is', async () => {
    const key = '%s "1", \\ \u2028 \'2\']';
    await enqueue(database.db, echo, { n: 1 }, { idempotencyKey: key });
    const { id } = await enqueue(database.db, echo, { n: 2 });
    await database.db
      .$executeRaw`UPDATE duework.job_runs SET payload = '{"%s": "\\u0001,]\\""}' WHERE id = ${BigInt(id)}`;
    const [first, second] = await claim(database.db, 10);
    expect(first).toMatchObject({ payload: { n: 1 }, idempotencyKey: key });
    expect(second).toMatchObject({ payload: { '%s': '\u0001,]"' }, idempotencyKey: null });
  });

  test('returns moments to the microsecond, and infinite ones as its own now or the beginning of time', async () => {
    await enqueueMany(
      database.db,
      Array.from({ length: 5 }, (_, n) => jobRequest(echo, { n })),
    );
    await database.db.$executeRaw`
      UPDATE duework.job_runs SET run_at = d.run_at::timestamptz, created_at = d.created_at::timestamptz
      FROM (VALUES
        (0, '1970-01-01T00:00:00.000001Z', '1970-01-01Z'),
        (1, '2001-09-09T01:46:40.999Z', '1999-12-31T23:59:59.999999Z'),
        (2, '2024-02-29T23:59:59.123456Z', '2024-02-29T12:00:00.001Z'),
        (3, '2025-01-01Z', 'infinity'),
        (4, '2025-01-02Z', '-infinity')
      ) AS d (n, run_at, created_at)
      WHERE (payload ->> 'n')::integer = d.n`;
    const runs = await claim(database.db, 10);
    // a sum of fractions is only nearly the moment
    const nowMs = Math.round((runs[3]!.runAtMs + runs[3]!.waitedMs) * 1_000) / 1_000;
    expect(runs.map((run) => [run.runAtMs, run.createdAtMs])).toEqual([
      [0.001, 0],
      [1_000_000_000_999, 946_684_799_999.999],
      [1_709_251_199_123.456, 1_709_208_000_001],
      [Date.UTC(2025, 0, 1), nowMs],
      [Date.UTC(2025, 0, 2), 0],
    ]);
  });

  test('takes nothing from the worker’s clock', async () => {
    const realNow = Date.now;
    Date.now = () => realNow() + 30 * 60_000;
    try {
      await enqueue(database.db, echo, { n: 1 }, { delay: '10m' });
      await enqueue(database.db, echo, { n: 2 });
      expect(numbersOf(await claim(database.db, 10))).toEqual([2]);
    } finally {
      Date.now = realNow;
    }
  });
});

describe('a claim', () => {
  const engine = () => database.connectPg({ poolSize: 1 });
  const fill = (rows: number, runAt: string) => database.db.$executeRaw`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'default', 'echo', 1, 5, now() + ${runAt}::text::interval, '{"n":1}', 10 FROM generate_series(1, ${rows}::int)`;

  const buffersOfClaim = (limit: number): Promise<number> =>
    countBuffers(
      engine(),
      (spy) => claimRuns(spy, { queue: 'default', contracts: testContracts, worker: 'tester', limit }),
      { runs: null },
    );

  test.each<[string, () => Promise<unknown>]>([
    ['never analysed', async () => fill(20_000, '-1 minute')],
    [
      'emptied, so that statistics say there is nothing',
      async () => {
        await database.db.$executeRaw`VACUUM ANALYZE duework.job_runs`;
        await fill(20_000, '-1 minute');
      },
    ],
    [
      'huge',
      async () => {
        await fill(60_000, '-1 minute');
        await database.db.$executeRaw`VACUUM ANALYZE duework.job_runs`;
      },
    ],
    [
      'stale, from when the table was small',
      async () => {
        await fill(10, '-1 minute');
        await database.db.$executeRaw`VACUUM ANALYZE duework.job_runs`;
        await fill(60_000, '-1 minute');
      },
    ],
  ])('stays on its index with statistics %s', async (_, arrange) => {
    await database.db.$executeRaw`ALTER TABLE duework.job_runs SET (autovacuum_enabled = off)`;
    await arrange();
    // 10 rows: their pages, the index on the way to them, and what their new versions touch
    expect(await buffersOfClaim(10)).toBeLessThan(400);
    const runs = await claim(engine(), 10);
    expect(runs).toHaveLength(10);
  });

  test('stays on its index and does not scan 50,000 future runs', async () => {
    await fill(50_000, '1 hour');
    await fill(5, '-1 minute');
    expect(await buffersOfClaim(10)).toBeLessThan(400);
  });
});
