import type { PgClient } from '@duework/database';
import { runText } from '../../../kit/run-text.js';
import { DAYS, DEAD, ERROR, ERROR_CODE, FINISHED, PAYLOAD, QUEUE, RUNNING, TYPE, WAITING, WORKERS } from './shape.js';

const BATCH = 100_000;
/** Where the ids of each kind begin within a day. */
const FIRST = { finished: 1_000_000_000, dead: 50_000_000_000, waiting: 60_000_000_000 } as const;

const idOf = (kind: keyof typeof FIRST): string =>
  `duework.first_id_of((at AT TIME ZONE 'UTC')::date) + ${FIRST[kind]} + n`;

/** Writes jobs as the product would have left them: 90 days of finished ones, and half of the dead ones of today. */
export async function fillJobs(db: PgClient): Promise<void> {
  await runText(db, `SELECT duework.ensure_partitions(1, ${DAYS})`);
  for (let from = 1; from <= FINISHED; from += BATCH)
    await runText(
      db,
      `INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at,
        created_at, finished_at, is_newest)
      SELECT ${idOf('finished')}, ${QUEUE}, ${TYPE}, 1 + n % 3, 'succeeded', 5, at, ${PAYLOAD}, 1, 10, 1, 'worker-' || n % ${WORKERS}, at, at, at, n % 50 = 0
      FROM generate_series(${from}, ${from + BATCH - 1}) AS n
      CROSS JOIN LATERAL (SELECT now() - (${FINISHED} - n) * interval '${DAYS} days' / ${FINISHED} AS at) AS a`,
    );
  await fillDead(db);
  await fillLive(db);
  await runText(
    db,
    `INSERT INTO duework.job_keys (job_type, key, run_id)
    SELECT job_type, idempotency_key, id FROM duework.jobs WHERE status <> 'succeeded' AND idempotency_key IS NOT NULL`,
  );
}

async function fillDead(db: PgClient): Promise<void> {
  await runText(
    db,
    `INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence, worker, claimed_at,
      failed_at, error_code, error_type, last_error, created_at, finished_at)
    SELECT ${idOf('dead')}, ${QUEUE}, ${TYPE}, 1 + n % 3, 'dead', 5, at, ${PAYLOAD}, 'invoice:' || n, 10, 10, 10,
      'worker-' || n % ${WORKERS}, at, at, ${ERROR_CODE}, 'Error', ${ERROR}, at, at
    FROM generate_series(1, ${DEAD}) AS n
    -- the second half within a day, as after an outage
    CROSS JOIN LATERAL (
      SELECT now() - CASE WHEN n > ${DEAD} / 2 THEN (${DEAD} - n) * interval '1 day' / (${DEAD} / 2) ELSE interval '1 day' + (${DEAD} / 2 - n) * interval '29 days' / (${DEAD} / 2) END AS at
    ) AS a`,
  );
  await runText(
    db,
    `INSERT INTO duework.job_attempts (run_id, fence, attempt, job_type, outcome, worker, claimed_at, finished_at, error_code, error_type, error_message, error_stack)
    SELECT d.id, a.attempt, a.attempt, d.job_type, 'failed', d.worker, d.finished_at - (10 - a.attempt) * interval '1 minute', d.finished_at - (10 - a.attempt) * interval '1 minute',
      d.error_code, d.error_type, d.last_error, repeat('    at send (file:///srv/shop/dist/handlers/send.js:12:34)' || chr(10), 20)
    FROM duework.job_history_dead AS d CROSS JOIN generate_series(1, 10) AS a (attempt)
    WHERE d.finished_at > now() - interval '2 days'`,
  );
}

/** Four fifths of what waits are due; what runs has the oldest dates. */
const fillLive = (db: PgClient): Promise<void> =>
  runText(
    db,
    `INSERT INTO duework.job_runs (id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence, failed_at, error_code,
      error_type, last_error, locked_by, locked_until, claimed_at, created_at)
    SELECT duework.first_id_today(0) + ${FIRST.waiting} + n, ${QUEUE}, ${TYPE}, 1 + n % 3,
      CASE WHEN is_running THEN 'running' WHEN is_failed THEN 'failed' ELSE 'queued' END, CASE WHEN n % 10 = 3 THEN 3 ELSE 5 END,
      now() + (n - ${WAITING} * 0.8) * interval '20 milliseconds', ${PAYLOAD}, CASE WHEN n % 2 = 0 THEN 'order:' || n END,
      CASE WHEN is_running OR is_failed THEN 1 ELSE 0 END, 10, 1, CASE WHEN is_failed THEN now() - n * interval '1 second' END, CASE WHEN is_failed THEN ${ERROR_CODE} END,
      CASE WHEN is_failed THEN 'Error' END, CASE WHEN is_failed THEN ${ERROR} END, CASE WHEN is_running THEN 'worker-' || n % ${WORKERS} END,
      CASE WHEN is_running THEN now() + interval '1 hour' END, CASE WHEN is_running THEN now() END, now() - (${WAITING} - n) * interval '20 milliseconds'
    FROM generate_series(1, ${WAITING}) AS n
    CROSS JOIN LATERAL (SELECT n <= ${RUNNING} AS is_running, n > ${RUNNING} AND n / 7 % 10 = 0 AS is_failed) AS s`,
  );
