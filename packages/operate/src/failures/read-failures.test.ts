import { beforeAll, expect, test } from '@jest/globals';
import { Prisma } from '@duework/database';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import { countJobs } from '../search/count-jobs.js';
import { addJobs } from '../testing/add-jobs.js';
import { readFailures } from './read-failures.js';

const database = useTestDatabase();

beforeAll(async () => {
  const refused = (n: number) => ['boom', 'Error', `connect ECONNREFUSED 10.0.0.${n}:5432`] as const;
  await addJobs(database.db, [
    { id: 1, status: 'dead', type: 'mail', error: refused(1), worker: 'w1', hoursAgo: 0.1 },
    { id: 2, status: 'dead', type: 'mail', error: refused(27), worker: 'w2', hoursAgo: 3.5, version: 2 },
    { id: 3, status: 'failed', type: 'mail', error: refused(3), hoursAgo: 0.2 },
    { id: 4, status: 'dead', type: 'echo', error: refused(4) },
    { id: 5, status: 'dead', type: 'mail', error: ['boom', 'Error', 'Invoice 812 of ana@example.org is locked'] },
    { id: 6, status: 'dead', type: 'mail', error: ['boom', 'Error', 'Invoice 7 of ben@example.org is locked'] },
    { id: 7, status: 'dead', type: 'mail', error: refused(5), hoursAgo: 50 },
    { id: 8, status: 'running', type: 'mail', error: refused(6), hoursAgo: 0.1 },
    { id: 9, status: 'succeeded', type: 'mail', error: refused(6), isLate: true },
    { id: 10, status: 'dead', type: 'mail', error: ['x', null, `${'long words '.repeat(30)}`] },
  ]);
});

test('jobs whose last errors differ in ids and numbers alone are one group, of each type by itself', async () => {
  const { groups, isComplete } = await readFailures(database.db);
  expect(isComplete).toBe(true);
  expect(groups.map(({ type, pattern, dead, retrying }) => ({ type, pattern, dead, retrying }))).toEqual([
    { type: 'mail', pattern: 'connect ECONNREFUSED …', dead: 2, retrying: 1 },
    { type: 'mail', pattern: 'Invoice … of … is locked', dead: 2, retrying: 0 },
    { type: 'echo', pattern: 'connect ECONNREFUSED …', dead: 1, retrying: 0 },
    { type: 'mail', pattern: expect.stringMatching(/^long words/), dead: 1, retrying: 0 },
  ]);
  expect(groups[0]).toMatchObject({ code: 'boom', errorType: 'Error', versions: [1, 2], workers: ['w1', 'w2'] });
  expect(groups[0]!.message).toMatch(/^connect ECONNREFUSED 10/);
  expect(groups[0]!.fingerprint).toBe(groups[2]!.fingerprint);
});

test('a group tells when its jobs failed, step by step', async () => {
  const { since, until, stepSeconds, groups } = await readFailures(database.db);
  const [{ counts, firstAt, lastAt }] = groups as [(typeof groups)[number]];
  expect(counts).toHaveLength(24);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(counts[Math.floor((firstAt.getTime() - since.getTime()) / (stepSeconds * 1_000))]).toBe(1);
  expect(lastAt < until && firstAt > since).toBe(true);
  expect((await readFailures(database.db, { range: '7d' })).groups[0]!.dead).toBe(3);
});

test("a group's filter finds its jobs and no others", async () => {
  const { groups } = await readFailures(database.db, { range: '30d' });
  for (const { filter, dead, retrying } of groups)
    expect([filter, await countJobs(database.db, `status:dead,failed ${filter}`)]).toEqual([
      filter,
      { count: dead + retrying, isAtLeast: false },
    ]);
});

test('of some types alone nothing else is told', async () => {
  const { groups } = await readFailures(database.db, { types: ['echo'] });
  expect(groups.map(({ type }) => type)).toEqual(['echo']);
});

test('of 60,000 dead jobs a bounded number is looked at, and the answer says so', async () => {
  await database.db.$executeRaw(
    Prisma.raw(`INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at,
      failed_at, error_code, error_type, last_error, created_at, finished_at)
    SELECT 1000000 + n, 'default', 'many', 1, 'dead', 5, now(), '{}', 3, 3, 1, 'w', now(), now(), 'boom', 'Error', 'order ' || n || ' is gone', now(), now() - n * interval '1 second'
    FROM generate_series(1, 60000) AS n`),
  );
  const { groups, isComplete } = await readFailures(database.db);
  expect(isComplete).toBe(false);
  expect(groups.find(({ type }) => type === 'many')).toMatchObject({ pattern: 'order … is gone' });
  const buffers = await countBuffers(database.connectPg({ poolSize: 1 }), (db) => readFailures(db), {
    now_ms: Date.now(),
    lines: '[]',
    dead: 0,
    live: 0,
  });
  expect(buffers).toBeLessThan(60_000);
});
