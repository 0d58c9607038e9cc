import type { Queryable } from './sql.js';
import { queryRows, sql } from './sql.js';

export interface NewRun {
  readonly type: string;
  readonly version: number;
  readonly queue: string;
  readonly priority: number;
  readonly maxAttempts: number;
  /** ISO 8601 text, because the time zone of the caller's session is not ours to trust; null: the database's now. */
  readonly runAt: string | null;
  readonly delayMs: number;
  readonly key: string | null;
  readonly keyWindowMs: number | null;
  readonly payloadJson: string;
}

/** One row per input, in its order. `run_at_ms` is null when the key was taken: `id` is the run that has it. */
export interface InsertedRun {
  readonly id: string;
  readonly run_at_ms: number | null;
  /** The transaction that the statement ran in. Where it is not the expected one, nothing was written. */
  readonly transaction_id: string;
}

/**
 * Inserts runs and takes their idempotency keys, all or none, in one statement.
 *
 * Keys are taken in their order, so that two batches cannot wait for each other. A key that another transaction is just
 * taking makes this one wait for its end: committed, and that run is returned; rolled back, and the key is ours.
 */
export function insertRuns(db: Queryable, runs: readonly NewRun[], expectedTransaction: string | null): Promise<InsertedRun[]> {
  return queryRows(db, sql`
    WITH input AS MATERIALIZED (
      SELECT nextval('duework.job_runs_id_seq') AS id, x.*
      FROM ROWS FROM (jsonb_to_recordset(${encodeRuns(runs)}::text::jsonb) AS (
        type text, version integer, queue text, priority smallint, max_attempts integer, run_at text, delay_ms float8,
        key text, key_window_ms float8, payload jsonb
      )) WITH ORDINALITY AS x (
        type, version, queue, priority, max_attempts, run_at, delay_ms, key, key_window_ms, payload, position
      )
    ),
    -- writes only inside the transaction that the caller believes to be in
    joined AS MATERIALIZED (
      SELECT * FROM input WHERE ${expectedTransaction}::text IS NULL OR pg_current_xact_id()::text = ${expectedTransaction}::text
    ),
    taken AS (
      INSERT INTO duework.job_keys AS k (job_type, key, run_id, expires_at)
      -- the first of a batch's equal keys wins
      SELECT DISTINCT ON (type, key) type, key, id, now() + key_window_ms * interval '1 millisecond'
      FROM joined
      WHERE key IS NOT NULL
      ORDER BY type, key, position
      -- an update even when nothing changes: DO NOTHING would not return the row that another session has just committed
      ON CONFLICT (job_type, key) DO UPDATE SET
        run_id = CASE WHEN k.expires_at <= now() THEN excluded.run_id ELSE k.run_id END,
        created_at = CASE WHEN k.expires_at <= now() THEN now() ELSE k.created_at END,
        expires_at = CASE WHEN k.expires_at <= now() THEN excluded.expires_at ELSE k.expires_at END
      RETURNING job_type, key, run_id
    ),
    inserted AS (
      INSERT INTO duework.job_runs
        (id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, max_attempts)
      SELECT i.id, i.queue, i.type, i.version, i.priority,
        coalesce(i.run_at::timestamptz, now() + i.delay_ms * interval '1 millisecond'),
        -- jsonb_to_recordset makes SQL's null of JSON's
        coalesce(i.payload, 'null'::jsonb), i.key, i.max_attempts
      FROM joined i
      LEFT JOIN taken t ON t.job_type = i.type AND t.key = i.key
      WHERE i.key IS NULL OR t.run_id = i.id
      RETURNING id, run_at
    )
    SELECT coalesce(t.run_id, i.id)::text AS id, (extract(epoch FROM n.run_at) * 1000)::float8 AS run_at_ms,
      pg_current_xact_id()::text AS transaction_id
    FROM input i
    LEFT JOIN taken t ON t.job_type = i.type AND t.key = i.key
    LEFT JOIN inserted n ON n.id = i.id
    ORDER BY i.position
  `);
}

/** Payloads are spliced in as the text they already are: encoding them twice would cost as much as all the rest. */
function encodeRuns(runs: readonly NewRun[]): string {
  return `[${runs
    .map((run) => `${JSON.stringify({
      type: run.type,
      version: run.version,
      queue: run.queue,
      priority: run.priority,
      max_attempts: run.maxAttempts,
      run_at: run.runAt,
      delay_ms: run.delayMs,
      key: run.key,
      key_window_ms: run.keyWindowMs,
    }).slice(0, -1)},"payload":${run.payloadJson}}`)
    .join(',')}]`;
}
