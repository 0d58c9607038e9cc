import { enqueueMany, jobRequest } from '@duework/queue-core';
import { sendReceipt } from '@duework/shop';
import { openClient } from '../../kit/open-client.js';

/**
 * Writes what a shop's queue would know after 90 days: figures that go up and down with the day, an hour in which mails were
 * refused, a worker that has gone and what it has left behind, and one that was deployed with an older version.
 */
export async function writePast(databaseUrl: string): Promise<void> {
  const db = await openClient(databaseUrl);
  try {
    await db.query(figuresOf('duework.figures_minutes', 'minute', '24 hours', 1));
    await db.query(figuresOf('duework.figures_hours', 'hour', '89 days', 60));
    await db.query(TOGETHER);
    await db.query(`
      INSERT INTO duework.figures_minutes (at, queue, job_type)
      SELECT m, '', '' FROM generate_series(date_trunc('minute', now()) - interval '24 hours', now(), '1 minute') AS m
      ON CONFLICT DO NOTHING`);
    await db.query(`
      INSERT INTO duework.past_workers (worker, started_at, seen_at, queues, contracts, host, pid, code_version)
      VALUES ('reports-1', now() - interval '3 days', now() - interval '41 minutes', '{reports}', '{"send_receipt":[1,9]}', 'node-3', 812, 'v2.3.1')`);
    await db.query(`
      INSERT INTO duework.worker_contracts
        (worker, queues, contracts, seen_at, started_at, host, pid, code_version, slots, running, buffered, loop_delay_ms, shut_by)
      VALUES ('mail-2', '{default,newsletter}', '{"send_receipt":[1,1],"deliver_webhook":[1,1]}', now(),
        now() - interval '6 days', 'node-2', 4411, 'v2.3.0', 10, 0, 0, 412, 'event_loop')`);
    const receipts = Array.from({ length: 23 }, (_, n) =>
      jobRequest(sendReceipt, {
        receiptId: `M-${n}`,
        email: `office-${n}@example.com`,
        amountCents: 120_000,
        currency: 'EUR',
      }),
    );
    await enqueueMany(db, receipts);
    await db.query(`UPDATE duework.job_runs SET queue = 'reports', run_at = now() - interval '38 minutes'`);
    // of a release that wrote amounts as texts
    await db.query(`
      UPDATE duework.job_runs SET payload = payload || '{"amountCents": "1200.00"}'
      WHERE id IN (SELECT r.id FROM duework.job_runs AS r WHERE r.queue = 'reports' ORDER BY r.id LIMIT 3)`);
  } finally {
    await db.end();
  }
}

const SUMS = `sum(claimed), sum(succeeded), sum(failed), sum(dead), sum(cancelled), sum(snoozed),
  pg_temp.sum_counts(waited), pg_temp.sum_counts(ran), sum(waited_ms), sum(ran_ms)`;
const inAll = (table: string): string => `
  INSERT INTO ${table} SELECT at, '', '*', ${SUMS}, sum(due), sum(running), max(oldest_seconds) FROM ${table} GROUP BY at;`;
/** The days of the hours, and in each table the line of all together. */
const TOGETHER = `
  CREATE AGGREGATE pg_temp.sum_counts (bigint[]) (SFUNC = duework.add_counts, STYPE = bigint[], INITCOND = '{}');
  INSERT INTO duework.figures_days
  SELECT date_trunc('day', at, 'UTC'), queue, job_type, ${SUMS}, max(due), max(running), max(oldest_seconds) FROM duework.figures_hours GROUP BY 1, 2, 3;
  ${['duework.figures_minutes', 'duework.figures_hours', 'duework.figures_days'].map(inAll).join('')}`;

/** Times are counted by their doublings: most of them short, few of them long. */
const figuresOf = (table: string, unit: 'minute' | 'hour', span: string, scale: number): string => `
  INSERT INTO ${table} (at, queue, job_type, claimed, succeeded, failed, dead, waited, waited_ms, ran, ran_ms, due, running, oldest_seconds)
  SELECT at, 'default', type, n, n - f - d, f, d,
    ARRAY[0, 0, 0, 0, n * 3 / 10, n * 3 / 10, n * 2 / 10, n / 10, n / 20 + bad, bad]::bigint[], n * 40,
    ARRAY[0, 0, 0, 0, 0, n / 10, n * 4 / 10, n * 4 / 10, n / 10, f]::bigint[], n * 90,
    n / (3 * ${scale}) + bad * 9, least(8, n / (9 * ${scale})), 0.4 + bad * 11
  FROM (
    SELECT *, (n * (0.01 + 0.3 * bad) * random())::bigint AS f, (CASE WHEN random() < 0.04 + 0.4 * bad THEN 1 + random() * bad * 3 ELSE 0 END)::bigint AS d
    FROM (
      SELECT at, type,
        (mean * ${scale} * (0.75 + 0.25 * random()) * (1 + 0.75 * sin(extract(hour FROM at) / 24 * 2 * pi() - 2)))::bigint AS n,
        CASE WHEN at BETWEEN now() - interval '47 minutes' AND now() - interval '33 minutes' THEN 1
          WHEN extract(day FROM at) IN (9, 10) AND type = 'send_receipt' THEN 1 ELSE 0 END AS bad
      FROM generate_series(date_trunc('${unit}', now()) - interval '${span}', now(), '1 ${unit}') AS at
      CROSS JOIN (VALUES ('send_receipt', 42), ('deliver_webhook', 14), ('send_invoice', 6)) AS t (type, mean)
    ) AS counted
  ) AS failed
  ON CONFLICT DO NOTHING`;
