import type { PgClient, PrismaClient } from '@duework/database';
import { createPostgresStore } from '@duework/queue-core';
import { createTicker } from '@duework/schedules';
import { timed } from '../../kit/timed.js';

const ROWS = 1_000_000;
const DAYS = 10;

const report = (line: string): boolean => process.stdout.write(`${line}\n`);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

/** Writes old rows of everything that retention removes. */
async function fillOld(db: PrismaClient): Promise<void> {
  await db.$executeRawUnsafe(`SELECT duework.ensure_partitions(0, ${40 + DAYS})`);
  for (let day = 1; day <= DAYS; day++) {
    const at = `((now() AT TIME ZONE 'UTC')::date - 40 - ${day})`;
    await db.$executeRawUnsafe(`INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at, created_at, finished_at)
      SELECT duework.first_id_of(${at}) + n, 'default', 'measured', 1, 'succeeded', 5, now(), '{"n":1}', 1, 3, 1, 'w', now(), now(), ${at}::timestamp AT TIME ZONE 'UTC'
      FROM generate_series(1, ${ROWS / DAYS}) AS n`);
  }
  await db.$executeRawUnsafe(
    `INSERT INTO duework.job_keys (job_type, key, run_id, needed_at) SELECT 'measured', n, -n, now() - interval '40 days' + n * interval '1 millisecond' FROM generate_series(1, ${ROWS}) AS n`,
  );
  await db.$executeRawUnsafe(`INSERT INTO duework.schedule_slots (schedule_id, slot_at, schedule_key, job_type, outcome, run_id, due_at, decided_at, late_ms)
    SELECT n % 1000, at, 's', 'measured', 'fired', n, at, at, 0 FROM generate_series(1, ${ROWS}) AS n CROSS JOIN LATERAL (SELECT now() - interval '80 days' + n * interval '1 second' AS at) AS x`);
}

/** Repeats a statement until `act` has ended; returns its longest time. */
async function longestWhile(db: PrismaClient, statement: string, act: () => Promise<unknown>): Promise<number> {
  const repeating = { isOver: false };
  const ended = act().finally(() => (repeating.isOver = true));
  let longestMs = 0;
  while (!repeating.isOver) longestMs = Math.max(longestMs, (await timed(() => db.$executeRawUnsafe(statement))).ms);
  await ended;
  return longestMs;
}

/** Removes old rows, a kind at a time, while other sessions settle. */
export async function measureRetention(db: PrismaClient, engineDb: PgClient): Promise<void> {
  await fillOld(db);
  const finish = `INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at, created_at, finished_at)
    SELECT duework.next_run_id(), 'default', 'measured', 1, 'succeeded', 5, now(), '{"n":1}', 1, 3, 1, 'w', now(), now(), now()`;
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    [`${ROWS} slots`, () => createTicker({ db: engineDb, catalog: [] }).prune(30)],
    [
      `${ROWS} keys, and ${ROWS} finished runs in ${DAYS} partitions`,
      () => createPostgresStore({ db: engineDb }).prune({ keepDays: 30, keepDeadDays: 90 }),
    ],
  ];
  for (const [what, act] of steps) {
    let ms = 0;
    const longestMs = await longestWhile(db, finish, async () => (ms = (await timed(act)).ms));
    report(`${what}: removed in ${seconds(ms)}; meanwhile the slowest settlement took ${longestMs.toFixed(0)} ms`);
  }
  const { ms } = await timed(() => createPostgresStore({ db: engineDb }).prune({ keepDays: 30, keepDeadDays: 90 }));
  report(`retention with nothing to remove: ${ms.toFixed(0)} ms`);
}
