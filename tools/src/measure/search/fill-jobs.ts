import type { PgClient } from '@duework/database';
import { runText } from '../../kit/run-text.js';

const FINISHED = 10_000_000;
const WAITING = 1_000_000;
const DEAD = 200_000;
const DAYS = 4;
const BATCH = 250_000;

/** One in a thousand is rare; each has an order, a customer and a note. */
const TYPE = `CASE WHEN n % 1000 = 0 THEN 'rare' ELSE (ARRAY['send_invoice', 'resize_image', 'sync_stock', 'deliver_webhook', 'send_mail'])[1 + n % 5] END`;
const QUEUE = `CASE WHEN n % 5000 = 0 THEN 'few' ELSE (ARRAY['default', 'mail', 'media'])[1 + n % 3] END`;
const PAYLOAD = `jsonb_build_object('orderId', n, 'customer', jsonb_build_object('id', n % 1000, 'name', 'Customer ' || n % 1000), 'note', md5(n::text))`;
const ERROR = `CASE n % 4
  WHEN 0 THEN 'connect ECONNREFUSED 10.0.' || n % 7 || '.' || n % 250 || ':443'
  WHEN 1 THEN 'The provider answered 503: try again later (request ' || md5(n::text) || ')'
  WHEN 2 THEN 'No such customer: ' || n
  ELSE 'Timeout of 30000 ms exceeded while waiting for the answer to POST https://api.example.org/v1/orders/' || n
END`;

/** Fills the tables as the product would have left them, `share` of it all. */
export async function fillJobs(db: PgClient, share: number): Promise<void> {
  await runText(db, `SELECT duework.ensure_partitions(1, ${DAYS})`);
  await runText(db, 'ALTER TABLE duework.job_runs SET (autovacuum_enabled = off)');
  const inBatches = async (rows: number, insert: (from: number, to: number) => string): Promise<void> => {
    for (let from = 1; from <= rows; from += BATCH) await runText(db, insert(from, Math.min(rows, from + BATCH - 1)));
  };
  const finished = FINISHED * share;
  const perDay = finished / DAYS;
  // in the order in which they ended: day by day, a day's within a day; one in 50 stands for the batch that it was settled in
  await inBatches(
    finished,
    (from, to) => `
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at,
      created_at, finished_at, is_newest)
    SELECT duework.first_id_of(day) + n, ${QUEUE}, ${TYPE}, 1 + n % 3, 'succeeded', 5, at, ${PAYLOAD}, 1, 10, 1, 'worker-' || n % 20, at, at, at, n % 50 = 0
    FROM generate_series(${from}, ${to}) AS n
    CROSS JOIN LATERAL (SELECT now() - (${finished} - n) * interval '1 day' / ${perDay} AS at) AS a
    CROSS JOIN LATERAL (SELECT (at AT TIME ZONE 'UTC')::date AS day) AS d`,
  );
  await inBatches(
    DEAD * share,
    (from, to) => `
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence, worker, claimed_at,
      failed_at, error_code, error_type, last_error, created_at, finished_at)
    SELECT duework.first_id_of((at AT TIME ZONE 'UTC')::date) + 50000000000 + n, ${QUEUE}, ${TYPE}, 1 + n % 3, 'dead', 5, at, ${PAYLOAD}, 'invoice:' || n, 10, 10, 10,
      'worker-' || n % 20, at, at, CASE WHEN n % 2 = 0 THEN 'network' ELSE 'http_503' END, 'Error', ${ERROR}, at, at
    FROM generate_series(${from}, ${to}) AS n
    CROSS JOIN LATERAL (SELECT now() - (${DEAD * share} - n) * interval '${DAYS} days' / ${DEAD * share} AS at) AS a`,
  );
  await inBatches(
    WAITING * share,
    (from, to) => `
    INSERT INTO duework.job_runs (id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence, failed_at, error_code,
      last_error, locked_by, locked_until, claimed_at, created_at)
    SELECT duework.first_id_today(0) + 60000000000 + n, ${QUEUE}, ${TYPE}, 1 + n % 3,
      CASE WHEN is_running THEN 'running' WHEN is_failed THEN 'failed' ELSE 'queued' END, (ARRAY[3, 5, 7])[1 + n % 3],
      now() + (n - ${WAITING * share} * 0.8) * interval '10 milliseconds', ${PAYLOAD}, CASE WHEN n % 2 = 0 THEN 'order:' || n END,
      CASE WHEN is_running OR is_failed THEN 1 ELSE 0 END, 10, 1, CASE WHEN is_failed THEN now() END, CASE WHEN is_failed THEN 'http_503' END,
      CASE WHEN is_failed THEN ${ERROR} END, CASE WHEN is_running THEN 'worker-' || n % 20 END, CASE WHEN is_running THEN now() + interval '1 minute' END,
      CASE WHEN is_running THEN now() END, now() - (${WAITING * share} - n) * interval '10 milliseconds'
    FROM generate_series(${from}, ${to}) AS n
    CROSS JOIN LATERAL (SELECT n <= 300 AS is_running, n > 300 AND n % 10 = 0 AS is_failed) AS s`,
  );
  await runText(
    db,
    `INSERT INTO duework.job_keys (job_type, key, run_id)
     SELECT job_type, idempotency_key, id FROM (SELECT * FROM duework.jobs WHERE status <> 'succeeded' AND idempotency_key IS NOT NULL) AS j`,
  );
  // what autovacuum would have done by now
  for (const table of ['job_history', 'job_runs', 'job_keys']) await runText(db, `VACUUM (ANALYZE) duework.${table}`);
  await runText(db, 'CHECKPOINT');
}
