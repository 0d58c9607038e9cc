import { beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { claimRuns, EVERYWHERE, type ClaimBounds } from '../sql/claim/claim-runs.js';
import { completeRuns } from '../sql/settle/complete-runs.js';
import type { RawClient, Statement } from '@duework/sql';
import {
  countBuffers,
  createStillClock,
  echo,
  pretendDuration,
  testContracts,
  useTestDatabase,
} from '@duework/testing/fixtures';
import { openQueue } from '../queue/open-queue.js';
import { BoundedClaims } from './bounded-claims.js';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.pauses`;
});

const take = async (bounded: BoundedClaims, limit = 10): Promise<number[]> =>
  (await bounded.claim({ queue: 'default', contracts: testContracts, worker: 'w', limit })).runs.map(
    (run) => (run.payload as { n: number }).n,
  );
const past = (n: number, priority = 5): Promise<unknown> =>
  enqueue(database.db, echo, { n }, { runAt: new Date('2020-01-01'), priority });

const quick = (db: RawClient = database.db): RawClient => pretendDuration(db, () => 0.2);
const slow = (db: RawClient = database.db): RawClient => pretendDuration(db, () => 100);
/** Makes a first slow claim, which alone counts as a hiccup. */
async function makeSlow(bounded: BoundedClaims): Promise<BoundedClaims> {
  expect(await take(bounded)).toEqual([]);
  return bounded;
}

test('while claims are quick each of them looks everywhere: what is put into the past is found at once', async () => {
  const bounded = new BoundedClaims(quick(), createStillClock());
  await enqueue(database.db, echo, { n: 1 });
  expect(await take(bounded)).toEqual([1]);
  await past(2);
  expect(await take(bounded)).toEqual([2]);
});

test('while claims are slow a run put into the past is found by the next full scan: it is delayed, but never lost', async () => {
  const clock = createStillClock();
  const bounded = await makeSlow(new BoundedClaims(slow(), clock));
  await enqueue(database.db, echo, { n: 1 });
  expect(await take(bounded)).toEqual([1]);
  await past(2);
  await enqueue(database.db, echo, { n: 3 });
  expect(await take(bounded)).toEqual([3]);
  clock.pass(2_000);
  expect(await take(bounded)).toEqual([2]);
});

test('where they are slow what was committed a second late is found a second later, not by the next full scan', async () => {
  const clock = createStillClock();
  const bounded = await makeSlow(new BoundedClaims(slow(), clock));
  // the second slow full scan, and the first and the second claim below the lower bound
  for (let claims = 0; claims < 3; claims++) expect(await take(bounded)).toEqual([]);
  await enqueue(database.db, echo, { n: 1 }, { runAt: new Date(Date.now() - 1_000) });
  await past(2);
  expect(await take(bounded)).toEqual([]);
  clock.pass(1_000);
  expect(await take(bounded)).toEqual([1]);
  clock.pass(1_000);
  expect(await take(bounded)).toEqual([2]);
});

test('one slow claim is a hiccup of the machine: the next one looks everywhere', async () => {
  let tookMs = 0.2;
  const bounded = new BoundedClaims(
    pretendDuration(database.db, () => tookMs),
    createStillClock(),
  );
  for (tookMs of [0.2, 1_000]) expect(await take(bounded)).toEqual([]);
  await past(1);
  expect(await take(bounded)).toEqual([1]);
});

test('the time of a claim’s commit and of its way does not count as scanning: the next claim is unbounded', async () => {
  const clock = createStillClock();
  const distant: RawClient = {
    $queryRaw: async (query, ...values) => {
      clock.pass(1_000);
      return quick().$queryRaw(query, ...values);
    },
  };
  const bounded = new BoundedClaims(distant, clock);
  for (let looks = 0; looks < 2; looks++) expect(await take(bounded)).toEqual([]);
  await past(1);
  expect(await take(bounded)).toEqual([1]);
});

test('where they are slow one of those that are on their way looks everywhere, and the others stay ahead', async () => {
  const clock = createStillClock();
  const watched = watchFullScans();
  const bounded = await makeSlow(new BoundedClaims(slow(watched.db), clock));
  await enqueue(database.db, echo, { n: 1 });
  expect(await take(bounded)).toEqual([1]);
  clock.pass(10_000);
  await past(2);
  const taken = await Promise.all([take(bounded), take(bounded), take(bounded)]);
  expect(taken.flat()).toEqual([2]);
  expect(watched.fullScans()).toBe(3);
});

test('after a full scan that failed the next claim is one', async () => {
  let isDown = false;
  const failing: RawClient = {
    $queryRaw: (query, ...values) =>
      isDown ? Promise.reject(new Error('down')) : database.db.$queryRaw(query, ...values),
  };
  const clock = createStillClock();
  const bounded = await makeSlow(new BoundedClaims(slow(failing), clock));
  expect(await take(bounded)).toEqual([]);
  await past(1);
  clock.pass(2_000);
  isDown = true;
  await expect(take(bounded)).rejects.toThrow('down');
  isDown = false;
  expect(await take(bounded)).toEqual([1]);
});

test('in a backlog claims begin at their lower bound, and pass by what somebody has touched; a full scan finds both a little later', async () => {
  const clock = createStillClock();
  const bounded = new BoundedClaims(quick(), clock);
  const jobs = await enqueueMany(
    database.db,
    Array.from({ length: 103 }, (_, n) => jobRequest(echo, { n })),
  );
  expect(await take(bounded, 100)).toHaveLength(100);
  await expect(
    database.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM duework.job_runs WHERE id = ${BigInt(jobs[101]!.id)} FOR UPDATE`;
      throw new Error('let go');
    }),
  ).rejects.toThrow('let go');
  await past(-1);
  expect(await take(bounded, 100)).toEqual([100, 102]);
  clock.pass(100);
  expect(await take(bounded, 100)).toEqual([-1, 101]);
});

test('the claim after a resume looks everywhere, however slow claims are, because the bound has passed what was paused', async () => {
  const queue = openQueue(database.db);
  const bounded = await makeSlow(new BoundedClaims(slow(), createStillClock()));
  for (const { pause, resume } of [
    { pause: () => queue.pauseQueue('default'), resume: () => queue.resumeQueue('default') },
    { pause: () => queue.pauseType('echo'), resume: () => queue.resumeType('echo') },
  ]) {
    await pause();
    await past(1);
    for (let claims = 0; claims < 3; claims++) expect(await take(bounded)).toEqual([]);
    await resume();
    expect(await take(bounded)).toEqual([1]);
  }
});

test('a claim that still saw the pause, and answers after the resume, hides nothing either', async () => {
  const queue = openQueue(database.db);
  let isHeld = false;
  let letGo = (): void => {};
  let tell = (): void => {};
  const held = new Promise<void>((resolve) => (tell = resolve));
  const late: RawClient = {
    $queryRaw: async (query, ...values) => {
      const answer = await slow().$queryRaw(query, ...values);
      if (isHeld)
        await new Promise<void>((resolve) => {
          letGo = resolve;
          tell();
        });
      return answer as never;
    },
  };
  const bounded = await makeSlow(new BoundedClaims(late, createStillClock()));
  await queue.pauseType('echo');
  await past(1);
  for (let claims = 0; claims < 3; claims++) expect(await take(bounded)).toEqual([]);
  isHeld = true;
  const before = take(bounded);
  await held;
  isHeld = false;
  await queue.resumeType('echo');
  expect(await take(bounded)).toEqual([1]);
  await past(2);
  letGo();
  expect(await before).toEqual([]);
  expect(await take(bounded)).toEqual([2]);
});

test('the runs of a paused type are walked over by full scans only', async () => {
  await openQueue(database.db).pauseType('charge');
  await database.db.$executeRaw`
    INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'default', 'charge', 1, 5, now() - interval '1 hour', '{"invoice":1}', 10 FROM generate_series(1, 20000)`;
  const recorded = recordBounds();
  const bounded = await makeSlow(new BoundedClaims(slow(recorded.db), createStillClock()));
  expect(await take(bounded)).toEqual([]);
  expect(await buffersOf(recorded.bounds())).toBeGreaterThan(500);
  await enqueue(database.db, echo, { n: 1 });
  expect(await take(bounded)).toEqual([1]);
  await openQueue(database.db).resumeType('charge');
  expect(await buffersOf(recorded.bounds())).toBeLessThan(100);
});

test('claims that are on their way at once take different runs, and leave none behind', async () => {
  const bounded = new BoundedClaims(quick(database.connectPg({ poolSize: 3 })), createStillClock());
  await enqueueMany(
    database.db,
    Array.from({ length: 900 }, (_, n) => jobRequest(echo, { n })),
  );
  const taken = await take(bounded, 100);
  for (let round = 0; round < 3; round++)
    taken.push(...(await Promise.all([1, 2, 3].map(() => take(bounded, 100)))).flat());
  expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 900 }, (_, n) => n));
});

test('a priority that a claim did not get to keeps its lower bound', async () => {
  const bounded = await makeSlow(new BoundedClaims(slow(), createStillClock()));
  await past(9, 9);
  await past(5, 5);
  await enqueueMany(
    database.db,
    [1, 2, 3].map((n) => jobRequest(echo, { n }, { priority: 0 })),
  );
  expect(await take(bounded, 2)).toEqual([1, 2]);
  expect(await take(bounded, 3)).toEqual([3, 5, 9]);
});

test('each queue has a lower bound of its own', async () => {
  const bounded = new BoundedClaims(slow(), createStillClock());
  await past(1);
  for (let claims = 0; claims < 2; claims++) {
    expect((await bounded.claim({ queue: 'other', contracts: testContracts, worker: 'w', limit: 10 })).runs).toEqual(
      [],
    );
  }
  expect(await take(bounded)).toEqual([1]);
});

test('runs that a worker cannot read are walked over once, and hold up nothing that comes behind them', async () => {
  const recorded = recordBounds();
  const bounded = await makeSlow(new BoundedClaims(slow(recorded.db), createStillClock()));
  await enqueueMany(
    database.db,
    Array.from({ length: 3_000 }, (_, n) => jobRequest({ ...echo, version: 2 }, { n })),
  );
  await database.db.$queryRaw`SELECT pg_sleep(0.1)::text`;
  // the second slow full scan, and the first and the second claim below the lower bound
  for (let claims = 0; claims < 3; claims++) expect(await take(bounded)).toEqual([]);
  await enqueue(database.db, echo, { n: 7 });
  expect(await take(bounded)).toEqual([7]);
  const ofNothing = await buffersOf(recorded.bounds(), 'other');
  expect((await buffersOf(EVERYWHERE.bounds)) - ofNothing).toBeGreaterThan(50);
  expect((await buffersOf(recorded.bounds())) - ofNothing).toBeLessThan(10);
  // another worker has bounds of its own, and finds them all
  const contracts = new Map([['echo', { ...echo, version: 2 }]]);
  const other = new BoundedClaims(quick(), createStillClock());
  expect((await other.claim({ queue: 'default', contracts, worker: 'w', limit: 5_000 })).runs).toHaveLength(3_000);
});

test('while a session holds an old snapshot, a claim does not scan again what was claimed before', async () => {
  await database.db.$executeRaw`ALTER TABLE duework.job_runs SET (autovacuum_enabled = off)`;
  const pinning = new pg.Client({ connectionString: database.url });
  await pinning.connect();
  await pinning.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await pinning.query('SELECT pg_current_xact_id()');
  const recorded = recordBounds();
  const bounded = await makeSlow(new BoundedClaims(slow(recorded.db), createStillClock()));
  for (let round = 0; round < 5; round++) {
    await enqueueMany(
      database.db,
      Array.from({ length: 1_000 }, (_, n) => jobRequest(echo, { n })),
    );
    for (let claim = await bounded.claim(all); claim.runs.length > 0; claim = await bounded.claim(all)) {
      await completeRuns(
        database.db,
        claim.runs.map(({ id, fence }) => ({ id, fence, result: null })),
      );
    }
  }
  // runs that were enqueued a moment ago are still scanned
  await database.db.$queryRaw`SELECT pg_sleep(0.1)::text`;
  for (let claims = 0; claims < 2; claims++) await bounded.claim(all);
  const everywhere = await buffersOf(EVERYWHERE.bounds);
  const fromTheBound = await buffersOf(recorded.bounds());
  const ofNothing = await buffersOf(recorded.bounds(), 'other');
  await pinning.query('ROLLBACK');
  await pinning.end();
  // the pages of 5,000 dead rows and of their index entries, against the way down an index, once for each priority
  expect(everywhere - ofNothing).toBeGreaterThan(100);
  expect(fromTheBound - ofNothing).toBeLessThan(10);
});

test('claims of a backlog follow each other in its order, and walk over nothing that was taken, although all runs are due at the same moment', async () => {
  const recorded = recordBounds();
  const bounded = new BoundedClaims(quick(recorded.db), createStillClock());
  await enqueueMany(
    database.db,
    Array.from({ length: 2_000 }, (_, n) => jobRequest(echo, { n }, { runAt: new Date('2020-01-01') })),
  );
  for (let round = 0; round < 4; round++)
    expect(await take(bounded, 500)).toEqual(Array.from({ length: 500 }, (_, n) => round * 500 + n));
  expect(await take(bounded, 500)).toEqual([]);
  const ofNothing = await buffersOf(recorded.bounds(), 'other');
  expect((await buffersOf(EVERYWHERE.bounds)) - ofNothing).toBeGreaterThan(50);
  expect((await buffersOf(recorded.bounds())) - ofNothing).toBeLessThan(10);
});

test('under a backlog claims that look everywhere take a twentieth of the time that claims take, however seldom a worker claims', async () => {
  const clock = createStillClock();
  const watched = watchFullScans();
  const bounded = new BoundedClaims(
    pretendDuration(watched.db, () => 10),
    clock,
  );
  await enqueueMany(
    database.db,
    Array.from({ length: 4_200 }, (_, n) => jobRequest(echo, { n })),
  );
  for (let claims = 0; claims < 42; claims++) {
    expect(await take(bounded, 100)).toHaveLength(100);
    clock.pass(200);
  }
  expect(watched.fullScans()).toBe(2);
});

test('a claim says whether others have taken a claim’s worth of runs since the one before', async () => {
  const [one, other] = [0, 1].map(() => new BoundedClaims(quick(), createStillClock()));
  const isShared = async (bounded: BoundedClaims): Promise<boolean | undefined> =>
    (await bounded.claim({ ...all, limit: 10 })).isShared;
  await enqueueMany(
    database.db,
    Array.from({ length: 60 }, (_, n) => jobRequest(echo, { n })),
  );
  expect([await isShared(one!), await isShared(one!), await isShared(other!), await isShared(one!)]).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

/** A connection that remembers the bounds of the last claim. */
function recordBounds(): { readonly db: RawClient; readonly bounds: () => ClaimBounds } {
  let bounds: ClaimBounds = [];
  const db: RawClient = {
    $queryRaw: (statement: Statement) => {
      const [times, ids] = statement.values
        .filter((value): value is string => typeof value === 'string' && value.split(',').length === 10)
        .map((value) => value.slice(1, -1).split(',').map(Number));
      bounds = times!.map((runAt, priority) => ({ runAt, id: ids![priority]! }));
      return (database.db as RawClient).$queryRaw(statement) as never;
    },
  };
  return { db, bounds: () => bounds };
}

/** A connection that counts the claims that look everywhere. */
function watchFullScans(): { readonly db: RawClient; readonly fullScans: () => number } {
  let fullScans = 0;
  const db: RawClient = {
    $queryRaw: (query, ...values) => {
      if (query.values.some((value: unknown) => typeof value === 'string' && value.startsWith('{-Infinity,')))
        fullScans++;
      return database.db.$queryRaw(query, ...values);
    },
  };
  return { db, fullScans: () => fullScans };
}

const all = { queue: 'default', contracts: testContracts, worker: 'w', limit: 500 };

/** Of a claim of nothing, which is all walking. */
const buffersOf = (bounds: ClaimBounds, queue = all.queue): Promise<number> =>
  countBuffers(
    database.connectPg({ poolSize: 1 }),
    (spy) => claimRuns(spy, { ...all, queue }, { bounds, isPassing: false }),
    { runs: null, now_seconds: 0, due_in_ms: null, took_ms: 0 },
  );
