import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const first = async <T>(sql: string, values: unknown[] = []): Promise<T> =>
  ((await client.query<{ value: T }>(sql, values)).rows[0] as { value: T }).value;
const ensurePartitions = (days: number): Promise<number> => first('SELECT duework.ensure_partitions($1) AS value', [days]);
const retain = (days: number): Promise<number> => first('SELECT duework.retain($1) AS value', [days]);

/** A succeeded run that finished at that SQL moment; returns the partition it is in. */
async function finishRun(id: number, finishedAt: string): Promise<string> {
  await client.query(
    `INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts,
       max_attempts, fence, worker, claimed_at, created_at, finished_at)
     VALUES ($1, 'default', 'send_invoice', 1, 'succeeded', 5, now(), '{}', 1, 3, 1, 'worker-1', now(), now(), ${finishedAt})`,
    [id],
  );
  return partitionOf(id);
}
const partitionOf = (id: number): Promise<string> =>
  first(`SELECT tableoid::regclass::text AS value FROM duework.job_history WHERE id = $1`, [id]);
const today = `(now() AT TIME ZONE 'UTC')::date`;
const dayName = (days: number): Promise<string> => first(`SELECT 'duework.job_history_' || to_char(${today} + $1::int, 'YYYYMMDD') AS value`, [days]);
const dayStart = (days: number): string => `((${today} + ${days})::timestamp AT TIME ZONE 'UTC')`;

/** A partition for a day that is over, as if the worker had made it then. */
async function addPastPartition(daysAgo: number): Promise<string> {
  const name = await dayName(-daysAgo);
  await client.query(`DO $$ BEGIN EXECUTE format('CREATE TABLE ${name} PARTITION OF duework.job_history FOR VALUES FROM (%L) TO (%L)',
    ${dayStart(-daysAgo)}, ${dayStart(-daysAgo + 1)}); END $$`);
  return name;
}

test('a run that finishes today is in the partition of today', async () => {
  expect(await finishRun(1, 'now()')).toBe(await dayName(0));
});

test('the first and the last moment of a UTC day belong to it, in any time zone', async () => {
  await client.query(`SET TimeZone = 'Pacific/Auckland'`);
  expect(await finishRun(1, dayStart(1))).toBe(await dayName(1));
  expect(await finishRun(2, `${dayStart(2)} - interval '1 microsecond'`)).toBe(await dayName(1));
});

test('partitions that are there are not made again', async () => {
  expect(await ensurePartitions(7)).toBe(0);
  expect(await ensurePartitions(9)).toBe(4);
});

test('two workers that make partitions at once make each of them once', async () => {
  const other = new pg.Client(database.url);
  await other.connect();
  const made = await Promise.all([
    ensurePartitions(12),
    other.query<{ value: number }>('SELECT duework.ensure_partitions(12) AS value').then(({ rows }) => rows[0]?.value ?? -1),
  ]);
  await other.end();
  expect(made.sort()).toEqual([0, 10]);
});

test('rows in the default partition move to their day', async () => {
  expect(await finishRun(1, `${dayStart(8)} + interval '1 hour'`)).toBe('duework.job_history_default');
  expect(await finishRun(2, `${dayStart(30)}`)).toBe('duework.job_history_default');
  await ensurePartitions(8);
  expect(await partitionOf(1)).toBe(await dayName(8));
  expect(await partitionOf(2)).toBe('duework.job_history_default');
});

test('retain drops whole days only', async () => {
  const old = await addPastPartition(4);
  const kept = await addPastPartition(3);
  await finishRun(1, `${dayStart(-4)} + interval '23 hours 59 minutes'`);
  await finishRun(2, dayStart(-3));
  expect(await retain(3)).toBe(1);
  expect(await first(`SELECT to_regclass($1)::text AS value`, [old])).toBeNull();
  expect(await partitionOf(2)).toBe(kept);
});

test('retain empties the default partition of what is as old', async () => {
  await finishRun(1, `${dayStart(-5)}`);
  await finishRun(2, `${dayStart(-1)}`);
  expect(await retain(3)).toBe(0);
  expect(await first(`SELECT array_agg(id::int ORDER BY id) AS value FROM duework.job_history`)).toEqual([2]);
});

test('retain removes the keys of the runs it removes, whatever their window, and those whose window is over', async () => {
  await addPastPartition(5);
  await finishRun(1, `${dayStart(-5)}`);
  await finishRun(2, `now()`);
  const key = (runId: number, name: string, expiresAt: string): Promise<unknown> =>
    client.query(`INSERT INTO duework.job_keys (job_type, key, run_id, expires_at, created_at)
      VALUES ('send_invoice', $1, $2, ${expiresAt}, ${dayStart(-5)})`, [name, runId]);
  await key(1, 'of a run that goes', 'NULL');
  await key(2, 'of a run that stays', 'NULL');
  await key(2, 'expired', `now() - interval '1 second'`);
  await key(1, 'of a run that goes, with a window', `now() + interval '1 hour'`);
  await key(2, 'of a run that stays, with a window', `now() + interval '1 hour'`);
  expect(await retain(3)).toBe(1);
  expect(await first('SELECT array_agg(key ORDER BY key) AS value FROM duework.job_keys')).toEqual(['of a run that stays', 'of a run that stays, with a window']);
});

test('retain gives up when a reader holds a partition, and drops it the next time', async () => {
  const old = await addPastPartition(5);
  const reader = new pg.Client(database.url);
  reader.on('error', () => {});
  await reader.connect();
  await reader.query(`BEGIN`);
  await reader.query(`SELECT count(*) FROM ${old}`);
  await expect(retain(3)).rejects.toMatchObject({ code: '55P03' });
  await reader.query('COMMIT');
  await reader.end();
  expect(await retain(3)).toBe(1);
});
