import { beforeAll, expect, test } from '@jest/globals';
import { Prisma } from '@duework/database';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import { addJobs } from '../testing/add-jobs.js';
import { readFailures } from './read-failures.js';

const database = useTestDatabase();
const STACK = `TypeError: no address of 7
    at Object.send (node:internal/net:1:1)
    at parse (file:///srv/node_modules/mailer/parse.js:4:2)
    at async writeReceiptMail (file:///srv/app/dist/receipt/write-receipt-mail.ts:12:19)
    at run (file:///srv/node_modules/duework/run.js:9:9)`;

/** Adds an attempt of a run that ended so many minutes ago. */
const attempt = (
  id: number,
  fence: number,
  minutesAgo: number,
  message: string,
  worker: string,
  stack: string | null,
) =>
  database.db.$executeRaw`
    INSERT INTO duework.job_attempts (is_late, run_id, fence, attempt, job_type, outcome, worker, claimed_at, finished_at, error_code, error_type, error_message, error_stack)
    VALUES (true, ${BigInt(id)}, ${BigInt(fence)}, 1, 'mail', 'failed', ${worker}, now() - ${minutesAgo}::float8 * interval '1 minute' - interval '1 second',
      now() - ${minutesAgo}::float8 * interval '1 minute', 'unexpected_error', 'TypeError', ${message}, ${stack})`;

beforeAll(async () => {
  const error = (n: number) => ['unexpected_error', 'TypeError', `no address of ${n}`] as const;
  await addJobs(database.db, [
    { id: 1, status: 'dead', type: 'mail', error: error(1), hoursAgo: 0.1 },
    { id: 3, status: 'failed', type: 'mail', error: error(3), hoursAgo: 0.05 },
    {
      id: 4,
      status: 'dead',
      type: 'mail',
      error: ['unexpected_error', 'Error', 'no attempt of it is kept'],
      hoursAgo: 2,
    },
  ]);
  // job 2 was the first, and has succeeded since
  await attempt(2, 1, 50, 'no address of 2', 'w-new', STACK.replace(':12:19', ':40:3'));
  await attempt(1, 1, 40, 'no address of 1', 'w-new', STACK);
  await attempt(1, 2, 6, 'no address of 1', 'w-new', STACK);
  await attempt(3, 1, 3, 'no address of 3', 'w-old', null);
  await attempt(3, 2, 55, 'another error', 'w-old', null);
  await database.db.$executeRaw`
    INSERT INTO duework.past_workers (worker, started_at, seen_at, queues, contracts, code_version)
    VALUES ('w-new', now() - interval '3 hours', now() - interval '2 hours', '{}', '{}', 'v1'),
      ('w-new', now() - interval '51 minutes', now(), '{}', '{}', 'v2'),
      ('w-first', now() - interval '52 minutes', now(), '{}', '{}', 'v2')`;
});

const first = async (range: '1h' | '24h' = '1h') =>
  (await readFailures(database.db, { range })).groups.find(({ pattern }) => pattern === 'no address of …')!;
const minutesAgo = (at: Date): number => Math.round((Date.now() - at.getTime()) / 60_000);

test('a failure began with the first attempt that failed so, whatever became of its job', async () => {
  const { firstAt, isOlder, dead, retrying, newestJob } = await first();
  expect([minutesAgo(firstAt), isOlder, dead, retrying, newestJob]).toEqual([50, false, 1, 1, '3']);
});

test('a retry of what failed moves the beginning nowhere', async () => {
  const { firstAt } = await first();
  await database.db.$executeRaw`UPDATE duework.job_runs SET failed_at = now() WHERE id = 3`;
  await database.db.$executeRaw`UPDATE duework.job_history SET finished_at = now() WHERE id = 1`;
  expect((await first()).firstAt).toEqual(firstAt);
});

test('the version of the code with which a failure began is told, and since when that version runs', async () => {
  const { beganWith } = await first();
  expect(beganWith).toMatchObject({ worker: 'w-new', codeVersion: 'v2' });
  expect(minutesAgo(beganWith!.startedAt!)).toBe(52);
});

test('the places where an error is thrown are told, and two of them are two', async () => {
  expect((await first()).places).toEqual([
    'async writeReceiptMail (write-receipt-mail.ts:12:19)',
    'async writeReceiptMail (write-receipt-mail.ts:40:3)',
  ]);
});

test('that an error was there before the time that is shown is told', async () => {
  await attempt(5, 1, 110, 'no address of 5', 'w-gone', null);
  expect((await first('1h')).isOlder).toBe(true);
  const { firstAt, isOlder, beganWith } = await first('24h');
  expect([minutesAgo(firstAt), isOlder]).toEqual([110, false]);
  expect(beganWith).toEqual({ worker: 'w-gone', codeVersion: null, startedAt: null });
});

test('a failure of which no attempt is kept began with its jobs', async () => {
  const { groups } = await readFailures(database.db, { range: '24h' });
  const kept = groups.find(({ errorType }) => errorType === 'Error')!;
  expect([minutesAgo(kept.firstAt), kept.beganWith, kept.places]).toEqual([120, null, []]);
});

test('of 100,000 attempts with an error those at both ends are read', async () => {
  await database.db.$executeRaw(
    Prisma.raw(`INSERT INTO duework.job_attempts (is_late, run_id, fence, attempt, job_type, outcome, worker, claimed_at, finished_at, error_code, error_type, error_message)
    SELECT true, n, 9, 1, 'mail', 'failed', 'w', now(), now() - n * interval '1 millisecond', 'unexpected_error', 'TypeError', 'no address of ' || n
    FROM generate_series(1, 100000) AS n`),
  );
  const buffers = await countBuffers(database.connectPg({ poolSize: 1 }), (db) => readFailures(db, { range: '1h' }), {
    now_ms: Date.now(),
    lines: JSON.stringify([
      {
        isDead: true,
        type: 'mail',
        code: 'unexpected_error',
        errorType: 'TypeError',
        text: 'no address of 3',
        newestJob: '3',
        steps: [],
        versions: [],
        workers: [],
        firstMs: 0,
        lastMs: 0,
      },
    ]),
    beginning: '{"firstMs":null,"places":[],"isOlder":false}',
    dead: 0,
    live: 0,
  });
  expect(buffers).toBeLessThan(500);
});

test('of the days of attempts those alone are locked that can have one of that time', async () => {
  await database.db.$executeRaw`SELECT duework.make_partitions(1, 30)`;
  const pg = database.connectPg({ poolSize: 1 });
  const locked = await pg.$transaction(async (tx) => {
    await readFailures(tx, { range: '24h' });
    const rows = await tx.$queryRaw<{ day: string }[]>(
      Prisma.sql`SELECT DISTINCT right(relation::regclass::text, 8) AS day FROM pg_locks
        WHERE pid = pg_backend_pid() AND relation::regclass::text ~ '^duework\\.job_attempts_\\d{8}$'`,
    );
    return rows.length;
  });
  expect(locked).toBeGreaterThan(0);
  expect(locked).toBeLessThanOrEqual(6);
});
