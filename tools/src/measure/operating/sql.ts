import type { Pool } from 'pg';

/** When the last run was claimed, in milliseconds since 1970. */
export async function readLastClaim(db: Pool): Promise<number> {
  const { rows } = await db.query(
    'SELECT (extract(epoch FROM max(claimed_at)) * 1000)::float8 AS at FROM duework.job_history_succeeded',
  );
  return (rows as [{ at: number }])[0].at;
}

/** When each worker made its first claim since a moment. */
export async function readFirstClaims(db: Pool, sinceMs: number): Promise<readonly number[]> {
  const { rows } = await db.query(
    `SELECT (extract(epoch FROM min(claimed_at)) * 1000)::float8 AS at FROM duework.job_history_succeeded
    WHERE claimed_at > to_timestamp($1::float8 / 1000) GROUP BY worker`,
    [sinceMs],
  );
  return (rows as { at: number }[]).map(({ at }) => at);
}

/** Writes runs that wait, in ten queues. */
export async function fillWaiting(db: Pool, count: number): Promise<void> {
  await db.query(
    `INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT 'queue-' || n % 10, 'type-' || n % 50, 1, 5, now(), '{"n":1}', 10 FROM generate_series(1, $1::integer) AS n`,
    [count],
  );
  await db.query('VACUUM ANALYZE duework.job_runs');
}

/** Lets the next write sample what waits once more. */
export async function forgetSamples(db: Pool): Promise<void> {
  await db.query("DELETE FROM duework.figures_minutes WHERE queue = ''");
}

/** The process of the server behind a pool of one connection. */
export async function readBackendPid(db: Pool): Promise<number> {
  const { rows } = await db.query('SELECT pg_backend_pid() AS pid');
  return (rows as [{ pid: number }])[0].pid;
}
