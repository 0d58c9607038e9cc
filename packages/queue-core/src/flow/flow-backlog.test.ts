import { defineCatalog, defineJob, type JobContract } from '@duework/contracts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import type { PrismaClient } from '@duework/database';
import { queryRows, sql } from '@duework/sql';
import { z } from 'zod';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { claimRuns, PRIORITIES, type ClaimBounds } from '../sql/claim/claim-runs.js';
import { takeLooks } from '../sql/flow/take-looks.js';
import { takeTurns } from '../sql/flow/take-turns.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { completeRuns } from '../sql/settle/complete-runs.js';

const payload = z.object({ n: z.int() });
const lined = defineJob({ type: 'lined', payload, limits: [{ max: 1 }] });
const plain = defineJob({ type: 'plain', payload });
const turned = defineJob({ type: 'turned', queue: 'turns', payload, tenant: () => 'large' });
const paced = defineJob({ type: 'paced', queue: 'paced', payload, rate: { max: 1, per: '1h' } });
const catalog = defineCatalog([lined, plain, turned, paced]);
const contracts = new Map<string, JobContract>(catalog.map((contract) => [contract.type, contract]));
/** With a million each index is a page deeper at most, and a claim of five touches 31 buffers instead of 27. */
const HELD = 100_000;

const database = useTestDatabase();
let db: PrismaClient;

/** So many runs that wait, evenly at so many keys, each of which one run holds. */
async function hold(keys: number): Promise<void> {
  await database.db
    .$executeRaw`TRUNCATE duework.job_runs, duework.job_history, duework.flow_keys, duework.flow_waits, duework.flow_looks`;
  await database.db.$executeRaw`
    WITH runs AS (
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts, held_by, gates)
      SELECT 'default', 'lined', 1, 5, now(), '{"n":1}', 3, k.key, ARRAY[k.key]
      FROM generate_series(1, ${HELD}::integer) AS n
      CROSS JOIN LATERAL (SELECT CASE WHEN ${keys}::integer = 1 THEN 'limit/lined' ELSE 'limit/lined/' || n % ${keys}::integer END AS key) AS k
      RETURNING id, held_by, priority, run_at
    ),
    waits AS (INSERT INTO duework.flow_waits (key, priority, ready_at, run_id) SELECT held_by, priority, run_at, id FROM runs)
    INSERT INTO duework.flow_keys (key, rule) SELECT DISTINCT held_by, 'limit/lined' FROM runs`;
  await database.db.$executeRaw`ANALYZE duework.job_runs, duework.flow_waits, duework.flow_keys`;
}

beforeAll(async () => {
  await registerDefinitions(database.db, catalog);
  db = database.connect({ poolSize: 1 });
  // the plan of every table but the smallest, so that the same is compared
  await db.$executeRaw`SET enable_seqscan = off`;
});

describe('what is held slows no enqueue, claim and settlement of runs without gates:', () => {
  /** What an enqueue, a claim and a settlement of runs without gates touch. */
  async function count(): Promise<{ enqueued: number; claimed: number; settled: number }> {
    const bounds = await boundsOfNow();
    for (let n = 0; n < 10; n++) await enqueue(db, plain, { n });
    const enqueued = await countBuffers(
      db,
      (spy) => queryRows(spy, sql`SELECT duework.enqueue('plain', '{"n": 1}')`),
      {},
    );
    const claim = { queue: 'default', contracts, worker: 'tester', limit: 5 };
    const scope = { bounds, isPassing: false };
    const claimed = await countBuffers(db, (spy) => claimRuns(spy, claim, scope), {
      runs: null,
      now_seconds: 0,
      due_in_ms: null,
    });
    const { runs } = await claimRuns(db, claim, scope);
    const done = runs.map(({ id, fence }) => ({ kind: 'complete' as const, id, fence, result: null }));
    const settled = await countBuffers(db, (spy) => completeRuns(spy, done), { are_all_settled: true, settled: null });
    return { enqueued, claimed, settled };
  }
  /**
   * As a worker claims: above what was claimed before. What an older snapshot (an ANALYZE, say) keeps in the index of
   * those would else be walked again, row by row.
   */
  async function boundsOfNow(): Promise<ClaimBounds> {
    const [row] = await db.$queryRaw<{ now: number }[]>`SELECT date_part('epoch', now()) AS now`;
    return Array.from({ length: PRIORITIES }, () => ({ runAt: row!.now, id: 0 }));
  }
  /** The least of five: a vacuum in between, or a new row that finds no room in its page, touches some more. */
  async function countLeast(): ReturnType<typeof count> {
    const counts: Awaited<ReturnType<typeof count>>[] = [];
    for (let n = 0; n < 5; n++) counts.push(await count());
    const least = (of: (one: (typeof counts)[number]) => number): number => Math.min(...counts.map(of));
    return {
      enqueued: least(({ enqueued }) => enqueued),
      claimed: least(({ claimed }) => claimed),
      settled: least(({ settled }) => settled),
    };
  }
  let without: Awaited<ReturnType<typeof count>>;
  beforeAll(async () => {
    await count();
    await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.job_history`;
    without = await countLeast();
  });

  test.each([
    ['at one key', 1],
    ['at 10,000 keys', 10_000],
  ])('100,000 runs %s', async (_, keys) => {
    await hold(keys);
    await count();
    const beside = await countLeast();
    // an index of so many rows is a page deeper, and rows lie on other pages
    expect(beside.enqueued).toBeLessThanOrEqual(without.enqueued + 5);
    expect(beside.claimed).toBeLessThanOrEqual(without.claimed + 5);
    expect(beside.settled).toBeLessThanOrEqual(without.settled + 5);
  });
});

test('a limit that is raised lets in portions, and gives its key back between them', async () => {
  await hold(1);
  await database.db
    .$executeRaw`UPDATE duework.flow_rules SET changed = '{"max": 50000}', changed_at = now() WHERE name = 'limit/lined'`;
  await database.db.$executeRaw`INSERT INTO duework.flow_looks (at, key) VALUES (now(), 'limit/lined')`;
  const letIn = async (): Promise<number> => {
    // more is to be looked at
    expect(await takeLooks(db)).toBe(0);
    const [key] = await db.$queryRaw<
      { holders: number }[]
    >`SELECT cardinality(holders) AS holders FROM duework.flow_keys`;
    return key!.holders;
  };
  const first = await letIn();
  expect(first).toBeGreaterThanOrEqual(1_000);
  expect(first).toBeLessThan(50_000);
  expect(await letIn()).toBeGreaterThan(first);
});

describe('what waits behind the next one costs nothing:', () => {
  const COUNT = 20_000;
  const MOST_MORE = 40;
  /** What `act` touches where few wait, and where many do; the rows of the few are as old. */
  async function countBoth(contract: typeof turned | typeof paced, act: () => Promise<number>) {
    await database.db
      .$executeRaw`TRUNCATE duework.job_runs, duework.job_history, duework.flow_keys, duework.flow_waits, duework.flow_looks, duework.flow_turns`;
    const counts: number[] = [];
    for (const more of [100, COUNT]) {
      await enqueueMany(
        db,
        Array.from({ length: more }, (_, n) => jobRequest(contract, { n })),
      );
      while ((await takeLooks(db)) === 0);
      await database.db
        .$executeRaw`VACUUM ANALYZE duework.job_runs, duework.flow_waits, duework.flow_keys, duework.flow_turns`;
      await act();
      counts.push(await act());
    }
    return counts as [number, number];
  }

  test('a turn of a tenant', async () => {
    // those that were let in before and wait for a claim count
    let room = 0;
    const [few, many] = await countBoth(turned, () => {
      room += 2;
      return countBuffers(db, (spy) => takeTurns(spy, 'turns', room), { taken: '' });
    });
    expect(many).toBeLessThanOrEqual(few + MOST_MORE);
  });

  test('a look at a rate', async () => {
    const [few, many] = await countBoth(paced, async () => {
      await database.db.$executeRaw`INSERT INTO duework.flow_looks (at, key) VALUES (now(), 'rate/paced')`;
      return countBuffers(db, (spy) => takeLooks(spy), { next_ms: null });
    });
    expect(many).toBeLessThanOrEqual(few + MOST_MORE);
  });
});
