import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/create-test-database.js';

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  await ensurePartitions(7); // The database that this one was cloned from is of yesterday.
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const first = async <T>(sql: string, values: unknown[] = []): Promise<T> =>
  ((await client.query<{ value: T }>(sql, values)).rows[0] as { value: T }).value;
const ensurePartitions = (days: number, daysBack = 0): Promise<number> =>
  first('SELECT duework.ensure_partitions($1, $2) AS value', [days, daysBack]);
const prune = (days: number, attemptDays = days): Promise<number> =>
  first('SELECT duework.prune($1, $2) AS value', [days, attemptDays]);
const pruneKeys = (batch: number): Promise<number> =>
  first(`SELECT duework.prune_with_runs('duework.job_keys', 3, 9, $1) AS value`, [batch]);

const today = `(now() AT TIME ZONE 'UTC')::date`;
const dayStart = (days: number): string => `((${today} + ${days})::timestamp AT TIME ZONE 'UTC')`;
/** The n-th id of a day. */
const idOf = (days: number, n = 0): Promise<string> =>
  first(`SELECT (duework.first_id_of(${today} + $1::int) + $2::int)::text AS value`, [days, n]);
const dayName = (days: number, table = 'job_history_succeeded'): Promise<string> =>
  first(`SELECT 'duework.${table}_' || to_char(${today} + $1::int, 'YYYYMMDD') AS value`, [days]);
const partitionOf = (id: string | number): Promise<string> =>
  first(`SELECT tableoid::regclass::text AS value FROM duework.job_history WHERE id = $1`, [id]);
const numbersLeft = (): Promise<number[]> =>
  first(`SELECT array_agg((id % 100000000000)::int ORDER BY id) AS value FROM duework.job_history`);

/** Writes a run that finished at that SQL moment; returns the partition it is in. */
async function finishRun(
  id: string | number,
  finishedAt: string,
  { status = 'succeeded', isLate = false } = {},
): Promise<string> {
  await client.query(
    `INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts,
       max_attempts, fence, worker, claimed_at, failed_at, error_code, last_error, cancel_requested_at, created_at, finished_at, is_late)
     VALUES ($1, 'default', 'send_invoice', 1, $2, 5, now(), '{}', 1, 3, 1, 'worker-1', now(), now(), 'x', 'x', now(), now(), ${finishedAt}, $3)`,
    [id, status, isLate],
  );
  return partitionOf(id);
}

/** Makes a partition for one past day, as the worker would have made it then. */
async function addPastPartition(daysAgo: number, table = 'job_history_succeeded'): Promise<string> {
  const name = await dayName(-daysAgo, table);
  const parent = table === 'job_attempts' ? 'job_attempts_days' : 'job_history_days';
  await client.query(
    `CREATE TABLE ${name} PARTITION OF duework.${parent} FOR VALUES FROM (${await idOf(-daysAgo)}) TO (${await idOf(1 - daysAgo)})`,
  );
  return name;
}

test('a new id carries the UTC day, in any time zone', async () => {
  for (const zone of ['Pacific/Auckland', 'America/Los_Angeles', 'UTC']) {
    await client.query(`SELECT set_config('TimeZone', $1, false)`, [zone]);
    expect(await first(`SELECT duework.day_of_id(duework.next_run_id()) = ${today} AS value`)).toBe(true);
  }
});

test('ids grow, are safe as numbers of JavaScript, and go on when the sequence starts anew', async () => {
  await client.query(`SELECT setval('duework.job_runs_id_seq', 99999999998)`);
  const ids = await first<string[]>(
    `SELECT array_agg(duework.next_run_id()::text) AS value FROM generate_series(1, 2)`,
  );
  expect(ids.map((id) => id.slice(-11))).toEqual(['99999999999', '00000000001']);
  expect(Number.isSafeInteger(Number(ids[0]))).toBe(true);
});

test('a run that succeeded is in the partition of the day that its id carries', async () => {
  expect(await finishRun(await idOf(0), 'now()')).toBe(await dayName(0));
  expect(await finishRun(await idOf(1, -1), `${dayStart(1)} + interval '1 hour'`)).toBe(await dayName(0));
  expect(await finishRun(await idOf(1), dayStart(1))).toBe(await dayName(1));
});

test('a run that succeeded late is in no day’s partition', async () => {
  expect(await finishRun(await idOf(-9), 'now()', { isLate: true })).toBe('duework.job_history_late');
});

test('existing partitions are not made again', async () => {
  expect(await ensurePartitions(7)).toBe(0);
  expect(await ensurePartitions(9)).toBe(4);
});

test('two workers that make partitions at once make each of them once', async () => {
  const other = new pg.Client(database.url);
  await other.connect();
  const made = await Promise.all([
    ensurePartitions(12),
    other
      .query<{ value: number }>('SELECT duework.ensure_partitions(12) AS value')
      .then(({ rows }) => rows[0]?.value ?? -1),
  ]);
  await other.end();
  expect(made.sort()).toEqual([0, 10]);
});

test('rows in the default partition move to their day', async () => {
  const [near, far] = [await idOf(8, 1), await idOf(30, 2)];
  expect(await finishRun(near, 'now()')).toBe('duework.job_history_days_default');
  expect(await finishRun(far, 'now()')).toBe('duework.job_history_days_default');
  await ensurePartitions(8);
  expect(await partitionOf(near)).toBe(await dayName(8));
  expect(await partitionOf(far)).toBe('duework.job_history_days_default');
});

test('prune drops a day when the last of its runs are old enough, and no row of the next', async () => {
  const old = await addPastPartition(5);
  const kept = await addPastPartition(4);
  await finishRun(await idOf(-4, -1), `${dayStart(-3)} - interval '1 minute'`);
  await finishRun(await idOf(-4), `${dayStart(-3)} + interval '1 minute'`);
  expect(await prune(3)).toBe(1);
  expect(await first(`SELECT to_regclass($1)::text AS value`, [old])).toBeNull();
  expect(await partitionOf(await idOf(-4))).toBe(kept);
});

test('dead, cancelled and late runs are in no day’s partition, so that each is kept for its own time', async () => {
  expect(await finishRun(1, dayStart(-40), { status: 'dead' })).toBe('duework.job_history_dead');
  expect(await finishRun(2, dayStart(-40), { status: 'cancelled' })).toBe('duework.job_history_cancelled');
  expect(await finishRun(3, dayStart(-40), { isLate: true })).toBe('duework.job_history_late');
  await finishRun(4, dayStart(-39), { status: 'dead' });
  await finishRun(5, dayStart(-41), { status: 'dead' });
  const pruneRows = (table: string): Promise<number> =>
    first('SELECT looked AS value FROM duework.prune_rows($1, 39, 39, 1)', [table]);
  expect(await pruneRows('duework.job_history_dead')).toBe(1);
  expect(await numbersLeft()).toEqual([1, 2, 3, 4]);
  const gone = [];
  for (const table of ['dead', 'dead', 'cancelled', 'late']) gone.push(await pruneRows(`duework.job_history_${table}`));
  expect(gone).toEqual([1, 0, 1, 1]);
  expect(await numbersLeft()).toEqual([4]);
});

test('attempts are kept as long as dead runs are, whatever became of their own run', async () => {
  await addPastPartition(6);
  const attempts = await addPastPartition(6, 'job_attempts');
  expect([await prune(3, 9), await prune(3, 9)]).toEqual([1, 0]);
  expect(await first(`SELECT to_regclass($1)::text AS value`, [attempts])).toBe(attempts);
  expect(await prune(3, 4)).toBe(1);
});

test('the key of a dead run is kept as long as the run, and the key of a run that was retried and succeeded as long as its history', async () => {
  await finishRun(1, dayStart(-5), { status: 'dead' });
  await finishRun(2, dayStart(-10), { status: 'dead' });
  await client.query(`INSERT INTO duework.job_keys (job_type, key, run_id, needed_at)
    SELECT 'send_invoice', n, n, ${dayStart(-12)} FROM generate_series(1, 2) AS n`);
  expect([await pruneKeys(10), await pruneKeys(10)]).toEqual([2, 0]);
  // read again at the age at which other keys expire, plus the time by which dead runs are kept longer
  expect(
    await first(
      `SELECT array_agg(needed_at = ${dayStart(-5)} + interval '6 days' OR needed_at <= now()) AS value FROM duework.job_keys`,
    ),
  ).toEqual([true]);
  expect(await first(`SELECT array_agg(run_id::int) AS value FROM duework.job_keys`)).toEqual([1]);
});

test('prune drops ten partitions of one table at most, the oldest first', async () => {
  for (let daysAgo = 5; daysAgo < 17; daysAgo++) await addPastPartition(daysAgo);
  await addPastPartition(6, 'job_attempts');
  expect(await prune(3)).toBe(10);
  expect(await first(`SELECT to_regclass($1) IS NOT NULL AS value`, [await dayName(-6)])).toBe(true);
  expect([await prune(3), await prune(3), await prune(3)]).toEqual([2, 1, 0]);
});

test('rows of the same age leave the default partition, a batch at a time', async () => {
  for (const id of [1, 2, 3]) await finishRun(id, `${dayStart(-5)}`);
  await finishRun(4, `${dayStart(-1)}`);
  const pruneDefault = (): Promise<number> => first('SELECT duework.prune_default(3, 9, 2) AS value');
  expect([await pruneDefault(), await pruneDefault(), await pruneDefault()]).toEqual([2, 1, 0]);
  expect(await numbersLeft()).toEqual([4]);
});

test('keys are deleted with the history of their runs, whatever their window, and at once when their window is over', async () => {
  await finishRun(1, `${dayStart(-5)}`, { isLate: true });
  await finishRun(2, `now()`, { isLate: true });
  const key = (runId: number, name: string, expiresAt: string): Promise<unknown> =>
    client.query(
      `INSERT INTO duework.job_keys (job_type, key, run_id, expires_at, needed_at)
      VALUES ('send_invoice', $1, $2, ${expiresAt}, ${dayStart(-5)})`,
      [name, runId],
    );
  await key(1, 'of a run that goes', 'NULL');
  await key(2, 'of a run that stays', 'NULL');
  await key(2, 'expired', `now() - interval '1 second'`);
  await key(1, 'of a run that goes, with a window', `now() + interval '1 hour'`);
  await key(2, 'of a run that stays, with a window', `now() + interval '1 hour'`);
  expect(await first('SELECT duework.prune_expired_keys(10) AS value')).toBe(1);
  expect(await pruneKeys(10)).toBe(4);
  expect(await first('SELECT array_agg(key ORDER BY key) AS value FROM duework.job_keys')).toEqual([
    'of a run that stays',
    'of a run that stays, with a window',
  ]);
});

test('the key of a run that is in its day is kept as long as that run’s history', async () => {
  await ensurePartitions(0, 5);
  const ids = [await idOf(-5), await idOf(-4), await idOf(-3)];
  await finishRun(ids[0]!, `${dayStart(-3)} - interval '1 minute'`);
  await finishRun(ids[1]!, `${dayStart(-3)} - interval '1 minute'`);
  await finishRun(ids[2]!, `${dayStart(-3)} + interval '1 minute'`);
  await client.query(
    `INSERT INTO duework.job_keys (job_type, key, run_id, needed_at) SELECT 'send_invoice', id, id, ${dayStart(-9)} FROM unnest($1::bigint[]) AS id`,
    [ids],
  );
  expect([await pruneKeys(10), await pruneKeys(10)]).toEqual([3, 0]);
  expect(
    await first(
      `SELECT array_agg(key || ' ' || (needed_at = ${dayStart(-3)} + interval '1 minute')) AS value FROM duework.job_keys`,
    ),
  ).toEqual([`${ids[2]} true`]);
});

test('a key that is still needed is not read again before it can be old enough', async () => {
  await finishRun(1, dayStart(-1), { isLate: true });
  await client.query(`INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
    VALUES (2, 'default', 'send_invoice', 1, 5, now() + interval '1 year', '{}', 3)`);
  await client.query(`INSERT INTO duework.job_keys (job_type, key, run_id, needed_at)
    SELECT 'send_invoice', n, n, ${dayStart(-5)} FROM generate_series(1, 2) AS n`);
  expect([await pruneKeys(1), await pruneKeys(1), await pruneKeys(1)]).toEqual([1, 1, 0]);
  // as old as the history, and checked a moment ago
  expect(
    await first(`SELECT array_agg(needed_at = ${dayStart(-1)} ORDER BY run_id) AS value FROM duework.job_keys`),
  ).toEqual([true, false]);
  expect(
    await first(`SELECT min(needed_at) > now() - interval '1 minute' AS value FROM duework.job_keys WHERE run_id = 2`),
  ).toBe(true);
});

test('a key that somebody takes for a new run at the same time is kept', async () => {
  await client.query(
    `INSERT INTO duework.job_keys (job_type, key, run_id, needed_at) VALUES ('send_invoice', 'a', 1, ${dayStart(-5)})`,
  );
  const other = new pg.Client(database.url);
  await other.connect();
  await other.query('BEGIN');
  await other.query(`UPDATE duework.job_keys SET run_id = 2`);
  const pid = await first('SELECT pg_backend_pid() AS value');
  let hasEnded = false;
  const looked = pruneKeys(10).finally(() => (hasEnded = true));
  for (;;) {
    const { rows } = await other.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = $2', [
      pid,
      'Lock',
    ]);
    if (hasEnded || rows.length > 0) break;
  }
  const hasWaited = !hasEnded;
  await other.query('COMMIT');
  expect(hasWaited).toBe(false);
  expect(await looked).toBe(0);
  await other.end();
  expect(await first(`SELECT run_id::int AS value FROM duework.job_keys`)).toBe(2);
});

test('each day is frozen while it is written, and analysed when it has doubled', async () => {
  for (const table of ['job_history_succeeded', 'job_attempts']) {
    expect(
      await first(`SELECT array_agg(DISTINCT reloptions) AS value FROM pg_class WHERE relname ~ '^${table}_[0-9]{8}$'`),
    ).toEqual([
      [
        'autovacuum_vacuum_insert_scale_factor=0',
        'autovacuum_vacuum_insert_threshold=100000',
        'autovacuum_freeze_min_age=0',
        'autovacuum_analyze_scale_factor=1',
        'autovacuum_analyze_threshold=10000',
      ],
    ]);
  }
});

test('prune gives up when a reader holds a partition, and drops it the next time', async () => {
  const old = await addPastPartition(5);
  const reader = new pg.Client(database.url);
  reader.on('error', () => {});
  await reader.connect();
  await reader.query(`BEGIN`);
  await reader.query(`SELECT count(*) FROM ${old}`);
  // prune ends by itself, long before its signal would abort it
  await client.query(`SET statement_timeout = '10s'`);
  await expect(prune(3)).rejects.toMatchObject({ code: '55P03' });
  await reader.query('COMMIT');
  await reader.end();
  expect(await prune(3)).toBe(1);
});
