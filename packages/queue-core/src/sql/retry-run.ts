import { queryRows, sql, type Queryable } from './sql.js';

/**
 * An operator's "run it now": a waiting run becomes due, a dead or cancelled one comes back with all its attempts. Its
 * fence stays, because nothing may ever lower it. No row: it is running, succeeded, or not there.
 *
 * The operator also decides what no program can know: whether an `unknown` effect of the run has happened, or may be
 * done again.
 */
export function retryRun(db: Queryable, id: string, effectsHappened: boolean): Promise<{ run_at_ms: number }[]> {
  return queryRows(
    db,
    sql`
    WITH due AS (
      UPDATE duework.job_runs
      SET status = 'queued', run_at = now()
      WHERE id = ${id}::bigint AND status IN ('queued', 'failed')
      RETURNING run_at, pg_notify('duework_wake', queue)::text AS told
    ),
    r AS (
      DELETE FROM duework.job_history
      WHERE id = ${id}::bigint AND status IN ('dead', 'cancelled')
      RETURNING *
    ),
    returned AS (
      INSERT INTO duework.job_runs (
        id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence,
        claimed_at, failed_at, error_code, error_type, last_error, created_at, meta
      )
      -- guard: fence-retry
      SELECT id, queue, job_type, job_version, 'queued', priority, now(), payload, idempotency_key, 0, max_attempts, fence,
      -- guard end: fence-retry
        claimed_at, failed_at, error_code, error_type, last_error, created_at, meta
      FROM r
      RETURNING run_at, pg_notify('duework_wake', queue)::text AS told
    ),
    judged AS (
      UPDATE duework.job_effects
      SET status = CASE WHEN ${effectsHappened}::boolean THEN 'done' ELSE 'approved' END,
          done_at = CASE WHEN ${effectsHappened}::boolean THEN now() END
      WHERE run_id = ${id}::bigint AND status = 'unknown' AND (EXISTS (SELECT FROM due) OR EXISTS (SELECT FROM returned))
    )
    SELECT (extract(epoch FROM run_at) * 1000)::float8 AS run_at_ms FROM due
    UNION ALL
    SELECT (extract(epoch FROM run_at) * 1000)::float8 FROM returned
  `,
  );
}
