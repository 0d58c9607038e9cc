import type { Pool } from 'pg';

const COLUMNS =
  'id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at, failed_at, error_code, error_type, last_error, created_at, finished_at';

/** Writes runs that have died of a provider that is down. */
export async function fillDead(db: Pool, count: number): Promise<void> {
  await db.query(
    `INSERT INTO duework.job_history (${COLUMNS})
    SELECT duework.next_run_id(), 'default', 'revived', 1, 'dead', 5, now(), jsonb_build_object('n', n), 3, 3, 3, 'w', now(), now(),
      'ECONNREFUSED', 'Error', 'connect ECONNREFUSED 192.0.2.7:443', now(), now()
    FROM generate_series(1, $1::integer) AS n`,
    [count],
  );
  await db.query('ANALYZE duework.job_history_dead', []);
}

export interface Waits {
  readonly jobs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** The first run that began and the last run that ended. */
  readonly perSecond: number;
}

/** How long normal runs took from their enqueue to their end, of those enqueued between two moments. */
export async function readWaits(db: Pool, fromMs: number, toMs: number): Promise<Waits> {
  const { rows } = await db.query(
    `SELECT count(*)::integer AS "jobs",
      percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - created_at) * 1000) AS p,
      count(*) / extract(epoch FROM max(finished_at) - min(created_at))::float8 AS "perSecond"
    FROM duework.job_history_succeeded
    WHERE job_type = 'normal' AND created_at >= to_timestamp($1::float8 / 1000) AND created_at < to_timestamp($2::float8 / 1000)`,
    [fromMs, toMs],
  );
  const [{ jobs, p, perSecond }] = rows as [{ jobs: number; p: number[] | null; perSecond: number }];
  const [p50Ms = 0, p95Ms = 0, p99Ms = 0] = p ?? [];
  return { jobs, p50Ms, p95Ms, p99Ms, perSecond };
}

/** How many runs of a type are live. */
export async function countLive(db: Pool, type: string): Promise<number> {
  const { rows } = await db.query('SELECT count(*)::integer AS n FROM duework.job_runs WHERE job_type = $1', [type]);
  return (rows as [{ n: number }])[0].n;
}

/** Deletes what was measured. */
export async function forget(db: Pool): Promise<void> {
  await db.query('TRUNCATE duework.job_runs, duework.job_history, duework.bulk_undos', []);
}
