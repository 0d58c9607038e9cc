import { enqueueMany, findJobs, jobRequest } from '@duework/queue-core';
import { pruneRuns } from '@duework/queue-core/internals';
import { createTestDatabase } from '@duework/database/testing';
import { echo, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { judgeSize } from './checks/judge-size.js';
import { type DatabaseSize, readSize } from './sql/read-size.js';

const GB = 1024 ** 3;
const database = useTestDatabase();

/** Days before today, each with as many succeeded jobs whose payload is not to be compressed. */
async function fillDays(days: number, jobs: number): Promise<void> {
  await database.db.$executeRaw`SELECT duework.make_partitions(7, ${days}::integer)`;
  await database.db.$executeRaw`
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence,
      worker, claimed_at, created_at, finished_at)
    SELECT duework.first_id_today(-day) + n, 'default', 'echo', 1, 'succeeded', 5, now(),
      jsonb_build_object('text', (SELECT string_agg(md5((n * 100 + part)::text), '') FROM generate_series(1, 30) AS part)), 1, 3, 1,
      'w', now(), now(), now() - day * interval '1 day'
    FROM generate_series(1, ${days}::integer) AS day, generate_series(1, ${jobs}::integer) AS n`;
}

const note = (keepDays: number, diskBytes: number) => database.db.$executeRaw`
  INSERT INTO duework.retention AS r (keep_days, dead_days, disk_bytes)
  VALUES (${keepDays}::integer, ${keepDays}::integer, ${Math.round(diskBytes)}::bigint)
  ON CONFLICT (is_only) DO UPDATE SET keep_days = excluded.keep_days, dead_days = excluded.dead_days, disk_bytes = excluded.disk_bytes`;

const size = (given: Partial<DatabaseSize> = {}): DatabaseSize => ({
  bytes: 70 * GB,
  tables: [],
  days: 20,
  growthPerDay: 3 * GB,
  keepDays: 30,
  needed: 97 * GB,
  used: 80 * GB,
  disk: 100 * GB,
  daysLeft: null,
  ...given,
});

beforeEach(async () => {
  await database.db.$executeRaw`DELETE FROM duework.retention`;
});

test('a new queue has a size by table, and says that it does not know yet how fast it grows', async () => {
  // The database that this one was cloned from has a day that is over, in two tables.
  await database.db.$executeRaw`SELECT duework.prune(-1, -1), duework.prune(-1, -1)`;
  const { bytes, tables, ...rest } = await readSize(database.db);
  expect(rest).toMatchObject({ days: 0, growthPerDay: null, keepDays: null, needed: null, disk: null, daysLeft: null });
  expect(tables.reduce((sum, table) => sum + table.bytes, 0)).toBe(bytes);
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['job_runs', 'job_attempts', 'job_effects']));
});

test('growth is what a day of the history takes, and what is needed is as many of them as are kept', async () => {
  await fillDays(4, 2_000);
  await pruneRuns(database.db, { keepDays: 30, keepDeadDays: 90, diskGb: 50 });
  const { bytes, tables, days, growthPerDay, keepDays, needed, used, disk, daysLeft } = await readSize(database.db);
  const history = tables.find(({ name }) => name === 'job_history_succeeded')!;
  expect(days).toBe(4);
  expect(tables[0]).toBe(history);
  // four full days, today and the next seven
  expect(history.days).toBe(12);
  expect(growthPerDay! / (history.bytes / 4)).toBeCloseTo(1, 0);
  expect(keepDays).toBe(30);
  expect(needed).toBeGreaterThan(25 * (history.bytes / 4));
  expect(needed).toBeLessThan(50 * (history.bytes / 4));
  expect(used).toBeGreaterThan(bytes);
  expect([disk, daysLeft]).toEqual([50 * GB, null]);
});

test('the disk is full in so many days, if the history outgrows it; a shorter retention may fit', async () => {
  await note(36_500, 1 * GB);
  const { growthPerDay, used, disk, daysLeft } = await readSize(database.db);
  expect(daysLeft).toBeCloseTo((disk! - used) / growthPerDay!, 3);
  await note(3, 1 * GB);
  expect((await readSize(database.db)).daysLeft).toBeNull();
});

test('databases that are dropped meanwhile, or that the role may not see, are left out', async () => {
  const other = await createTestDatabase();
  const [{ own, others }] = await database.db.$queryRaw<[{ own: bigint; others: bigint }]>`
    SELECT pg_database_size(current_database()) AS own, pg_database_size(${other.name}) AS others`;
  // other files of tests make and drop databases meanwhile, so that no sum can be compared with an earlier one
  expect((await readSize(database.db)).used).toBeGreaterThan(Number(own) + 0.9 * Number(others));
  const asked: Promise<DatabaseSize>[] = [];
  for (let n = 0; n < 20; n++) asked.push(readSize(database.db));
  await Promise.all([...asked, other.drop()]);
});

test('a shorter retention gives the space of whole days back at once, and keeps each job that waits or is dead', async () => {
  const { db } = database;
  const ids = (
    await enqueueMany(
      db,
      [1, 2, 3].map((n) => jobRequest(echo, { n })),
    )
  ).map(({ id }) => id);
  await db.$executeRaw`
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence,
      failed_at, error_code, last_error, created_at, finished_at)
    VALUES (duework.first_id_today(-4) + 999999, 'default', 'echo', 1, 'dead', 5, now(), '{}', 1, 1, 1, now(), 'x', 'x', now(),
      now() - interval '4 days')`;
  const before = await readSize(db);
  await pruneRuns(db, { keepDays: 1, keepDeadDays: 90 });
  const after = await readSize(db);
  const [{ dead }] = await db.$queryRaw<[{ dead: number }]>`SELECT count(*)::int AS dead FROM duework.job_history_dead`;
  expect(before.bytes - after.bytes).toBeGreaterThan(1.5 * before.growthPerDay!);
  expect(dead).toBe(1);
  expect((await findJobs(db, { type: 'echo', status: 'queued' })).jobs.map(({ id }) => id).sort()).toEqual(ids);
});

test('the alert is raised where the disk will be full within a week, and waits for no lock', async () => {
  const alerts = () => database.db.$queryRaw<{ facts: object }[]>`
    SELECT facts FROM duework.find_alerts() WHERE name = 'disk_fills_up'`;
  await note(36_500, 1_000 * GB);
  expect(await alerts()).toEqual([]);
  // so small a disk is full already
  await note(36_500, 0.02 * GB);
  expect(await alerts()).toMatchObject([{ facts: { diskGb: 0.02, keepDays: 36_500, daysLeft: 0 } }]);
  const other = new pg.Client(database.url);
  await other.connect();
  try {
    await other.query('BEGIN; LOCK TABLE duework.job_effects');
    expect(await alerts()).toEqual([]);
    await expect(readSize(database.db)).rejects.toThrow(/lock timeout/);
  } finally {
    await other.end();
  }
});

test('the doctor finds a disk that is nearly full, or that the history outgrows, and nothing where it fits or is not known', () => {
  expect(judgeSize(size())).toEqual([]);
  expect(judgeSize(size({ disk: null, used: 1e15 }))).toEqual([]);
  expect(judgeSize(size({ used: 91 * GB }))).toMatchObject([
    { code: 'disk_fills_up', severity: 'warning', sentence: 'The databases use 91 GB of 100 GB.' },
  ]);
  const [{ sentence, fix } = { sentence: '', fix: '' }] = judgeSize(size({ daysLeft: 20 / 3 }));
  expect(sentence).toBe(
    'The databases use 80 GB of 100 GB. The queue takes 70 GB, grows 3.0 GB a day, and needs 97 GB for 30 days: the disk is full in 6.7 days.',
  );
  expect(fix).toContain('RETENTION_DAYS');
});
