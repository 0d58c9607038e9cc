import { Prisma } from '@duework/database';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import type { Queryable } from '@duework/queue-core';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { countJobs } from './count-jobs.js';
import { searchJobs } from './search-jobs.js';

const database = useTestDatabase();
const run = (statement: string) => database.db.$executeRaw(Prisma.raw(statement));

/** Of three days: 60,000 that succeeded, 24,000 that are dead, 30,000 that wait; every thousandth is rare. */
beforeAll(async () => {
  await run('SELECT duework.ensure_partitions(1, 3)');
  const idOf = (first: number) => `duework.first_id_today(-(n % 3)) + ${first} + n`;
  const type = `CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'common' END`;
  const payload = `jsonb_build_object('orderId', n, 'customer', jsonb_build_object('id', n % 10))`;
  await run(`INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at, created_at, finished_at)
    SELECT ${idOf(0)}, 'default', ${type}, 1, 'succeeded', 5, now(), ${payload}, 1, 3, 1, 'w', now(), now(), now() - (n % 3) * interval '1 day' - (n / 1000) * interval '1 second'
    FROM generate_series(1, 60000) AS n ORDER BY n % 3 DESC, n`);
  await run(`INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at,
      failed_at, error_code, error_type, last_error, created_at, finished_at)
    SELECT ${idOf(100_000)}, CASE WHEN n % 400 = 0 THEN 'few' ELSE 'default' END, ${type}, 1 + n % 2, 'dead', 5, now(), ${payload}, 3, 3, 1, 'w' || n % 2000, now(), now(), 'boom', 'Error',
      CASE WHEN n % 600 = 0 THEN 'the provider ' || n || ' said: no such account' ELSE 'connect ECONNREFUSED 10.0.0.' || n % 200 END, now(), now() - n * interval '1 second'
    FROM generate_series(1, 24000) AS n`);
  await run(`INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT ${idOf(200_000)}, CASE WHEN n % 400 = 0 THEN 'few' ELSE 'default' END, ${type}, 1, n % 2, now() - interval '1 hour' + n * interval '1 millisecond', ${payload}, 10
    FROM generate_series(1, 30000) AS n`);
  // what runs is what was due for longest, but for a few that a claim of another version took
  await run(`UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = 'w', locked_until = now() + interval '1 hour', claimed_at = now()
    WHERE id % 100000 <= 40 OR id % 100000 > 29990`);
});

/** All jobs that fit, in pages; `seen` are the pages' sizes. */
async function walk(filter: string, limit: number): Promise<{ ids: string[]; back: string[]; empty: number }> {
  const ids: string[] = [];
  let empty = 0;
  let page = await searchJobs(database.db, { filter, limit });
  expect(page.previousCursor).toBeNull();
  for (;;) {
    ids.push(...page.jobs.map(({ id }) => id));
    if (page.jobs.length === 0) empty++;
    if (!page.isComplete) expect(page.hint).toMatch(/^(Add|Give) /);
    if (page.nextCursor === null) break;
    page = await searchJobs(database.db, { filter, limit, cursor: page.nextCursor });
  }
  const back: string[] = page.jobs.map(({ id }) => id);
  while (page.previousCursor !== null) {
    page = await searchJobs(database.db, { filter, limit, cursor: page.previousCursor });
    back.unshift(...page.jobs.map(({ id }) => id));
  }
  return { ids, back, empty };
}

/** So many seconds before the test began: a moment that stays where it is. */
const ago = (seconds: number): string => new Date(startedMs - seconds * 1_000).toISOString();
const startedMs = Date.now();

const WALKED = [
  'type:rare',
  'status:succeeded type:rare',
  'status:queued type:rare',
  'status:dead type:rare',
  'status:dead "no such account"',
  'status:dead worker:w5',
  'status:running',
  'status:running type:rare',
  'queue:few',
  'status:dead,queued queue:few',
  'payload.orderId:15000',
  `status:dead since:${ago(7_200)} payload.customer.id:0`,
  `status:succeeded since:${ago(4)}`,
];

test.each(WALKED)('pages lead to every job of %j and back', async (filter) => {
  const { ids, back } = await walk(filter, filter.includes('Z') ? 200 : 50);
  const rows = await database.db.$queryRaw<{ id: bigint }[]>(
    Prisma.raw(`SELECT j.id FROM duework.jobs j WHERE ${CONDITIONS[filter]} ORDER BY j.id DESC`),
  );
  expect(ids.length).toBeGreaterThan(0);
  expect(back).toEqual(ids);
  const expected = rows.map(({ id }) => String(id));
  // what runs has an order of its own
  if (filter.includes('status:running')) expect(new Set(ids)).toEqual(new Set(expected));
  else expect(ids).toEqual(expected);
});

const CONDITIONS: Readonly<Record<string, string>> = {
  'type:rare': `j.job_type = 'rare'`,
  'status:succeeded type:rare': `j.status = 'succeeded' AND j.job_type = 'rare'`,
  'status:queued type:rare': `j.status = 'queued' AND j.job_type = 'rare'`,
  'status:dead type:rare': `j.status = 'dead' AND j.job_type = 'rare'`,
  'status:dead "no such account"': `j.last_error LIKE '%no such account'`,
  'status:dead worker:w5': `j.status = 'dead' AND j.worker = 'w5'`,
  'status:running': `j.status = 'running'`,
  'status:running type:rare': `j.status = 'running' AND j.job_type = 'rare'`,
  'queue:few': `j.queue = 'few'`,
  'status:dead,queued queue:few': `j.queue = 'few' AND j.status IN ('dead', 'queued')`,
  'payload.orderId:15000': `j.payload -> 'orderId' = '15000'`,
  [`status:dead since:${ago(7_200)} payload.customer.id:0`]: `j.status = 'dead' AND j.finished_at >= '${ago(7_200)}' AND j.payload #> '{customer,id}' = '0'`,
  [`status:succeeded since:${ago(4)}`]: `j.status = 'succeeded' AND j.finished_at >= '${ago(4)}'`,
};

test('a page that found too few says that it is not the last, and which term would help', async () => {
  const page = await searchJobs(database.db, { filter: 'status:succeeded payload.orderId:1' });
  expect(page).toMatchObject({
    jobs: [],
    isComplete: false,
    nextCursor: expect.any(String),
    hint: expect.stringContaining('since:10m'),
  });
  const without = await searchJobs(database.db, { filter: 'payload.orderId:1' });
  expect(without.hint).toContain('status:dead');
});

describe('counts', () => {
  test.each([
    ['', { count: 10_000, isAtLeast: true }],
    ['status:dead', { count: 10_000, isAtLeast: true }],
    ['status:dead error:ECONNREFUSED', { count: 10_000, isAtLeast: true }],
    ['status:dead "no such account"', { count: 40, isAtLeast: false }],
    ['status:dead payload.customer.id:3', { count: 2_400, isAtLeast: false }],
    ['status:dead type:rare', { count: 24, isAtLeast: false }],
    ['status:dead,queued queue:few', { count: 60 + 75 - 5, isAtLeast: false }],
    ['status:running', { count: 50, isAtLeast: false }],
    ['status:running,dead type:rare', { count: 24, isAtLeast: false }],
    [`status:succeeded since:${ago(2)}`, { count: 9_990, isAtLeast: false }],
  ])('of %j are exact up to 10,000', async (filter, expected) => {
    const actual = await countJobs(database.db, filter);
    if (expected.isAtLeast) expect(actual).toEqual(expected);
    else {
      const exact = await exactCount(filter);
      expect(actual).toEqual({ count: exact, isAtLeast: false });
    }
  });

  test.each(['payload.orderId:1', 'status:succeeded type:rare', 'status:succeeded error:x'])(
    'of %j are refused with the term that would help',
    async (filter) => {
      await expect(countJobs(database.db, filter)).rejects.toMatchObject({
        code: 'filter_too_broad',
        facts: { filter, hint: expect.stringMatching(/^Add /) },
      });
    },
  );
});

async function exactCount(filter: string): Promise<number> {
  const conditions: Readonly<Record<string, string>> = {
    ...CONDITIONS,
    'status:dead payload.customer.id:3': `j.status = 'dead' AND j.payload #> '{customer,id}' = '3'`,
    'status:running,dead type:rare': `j.status IN ('running', 'dead') AND j.job_type = 'rare'`,
    [`status:succeeded since:${ago(2)}`]: `j.status = 'succeeded' AND j.finished_at >= '${ago(2)}'`,
  };
  const [row] = await database.db.$queryRaw<{ n: number }[]>(
    Prisma.raw(`SELECT count(*)::integer AS n FROM duework.jobs j WHERE ${conditions[filter]}`),
  );
  return row!.n;
}

const READS: Readonly<Record<string, (db: Queryable) => Promise<unknown>>> = Object.fromEntries(
  [
    ...WALKED,
    '',
    'status:dead error:ECONNREFUSED',
    'status:succeeded error:ECONNREFUSED',
    '-type:common',
    'status:dead -queue:default until:2h',
  ].flatMap((filter) => [
    [`a page of ${filter}`, (db: Queryable) => searchJobs(db, { filter })],
    [`a count of ${filter}`, (db: Queryable) => countJobs(db, filter).catch(() => null)],
  ]),
);

/** The most that a search touches, before and after the planner knows what there is. */
test.each(['never analysed', 'analysed'])(
  'what a search touches is bounded where tables were %s',
  async (state) => {
    if (state === 'analysed') for (const table of ['job_runs', 'job_history']) await run(`ANALYZE duework.${table}`);
    const engine = database.connectPg({ poolSize: 1 });
    const answer = { job: null, place: '1', found: 0, is_cut: false };
    for (const [name, act] of Object.entries(READS)) {
      const buffers = await countBuffers(engine, act, answer);
      // 40,000 rows, some to a page, and an entry of an index for those that were candidates
      expect({ name, isBounded: buffers < 60_000 }).toEqual({ name, isBounded: true });
    }
  },
  60_000,
);
