import { sql, toArray, type Sql } from '@duework/sql';
import type { Taker } from '../ports/runs.js';
import { readableVersions } from './claim/readable-versions.js';

/**
 * Pieces that several verbs share. `input` is the statement's own list of (id, fence, …); a worker's write finds its
 * rows by `id` (one index scan, ascending, so that two batches cannot deadlock) and is refused by the fence.
 */

/** The batch as a CTE named `input`, with `columns` beside id and fence. */
export function inputOf(batch: readonly object[], columns: Sql): Sql {
  return sql`input AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(batch)}::text::jsonb) AS x (id bigint, fence bigint ${columns})
  )`;
}

/**
 * Whether row `j` is in the batch and its claim still owns it. A row has a lease exactly while it is running; a
 * condition on its status would invite a plan that scans all running rows, and without IS TRUE the fences would become
 * a join whose order follows the statistics.
 */
export const stillOurs: Sql = sql`j.id = ANY(ARRAY(SELECT id FROM input))
        AND j.locked_by IS NOT NULL
        AND ((j.id, j.fence) IN (SELECT id, fence FROM input)) IS TRUE`;

/** The rows of the batch that their claims still own, locked: nobody changes them until this statement has decided. */
export const lockedInput: Sql = sql`owned AS MATERIALIZED (
    SELECT j.id, j.fence, j.attempts, j.job_type, j.locked_by, j.claimed_at, j.cancel_requested_at, j.snoozes, j.max_attempts
    FROM duework.job_runs AS j
    WHERE ${stillOurs}
    ORDER BY j.id
    FOR UPDATE
  )`;

/** The columns of the history, in the order in which every verb fills them. */
export const historyColumns: Sql = sql`
      id, queue, job_type, job_version, priority, run_at, payload, idempotency_key, attempts, max_attempts, fence, worker,
      claimed_at, created_at, snoozes, snoozed_at, meta, releases, gates, gate_units, terms, progress, finished_at, status, failed_at, error_code,
      error_type, last_error, cancel_requested_at, cancel_requested_by, cancel_reason, result`;

/** The head of an INSERT that moves rows to the history. */
export const insertHistory: Sql = sql`INSERT INTO duework.job_history (${historyColumns})`;

/** The columns up to `finished_at`, which every verb copies from the row `r` that it deleted. */
export const copiedColumns: Sql = sql`r.id, r.queue, r.job_type, r.job_version, r.priority, r.run_at, r.payload,
      r.idempotency_key, r.attempts, r.max_attempts, r.fence, r.locked_by, r.claimed_at, r.created_at, r.snoozes, r.snoozed_at, r.meta, r.releases,
      r.gates, r.gate_units, r.terms, r.progress, now()`;

/** The columns after `status`, for a row that keeps its last error and its cancellation. */
export const keptColumns: Sql = sql`r.failed_at, r.error_code, r.error_type, r.last_error,
      r.cancel_requested_at, r.cancel_requested_by, r.cancel_reason, NULL::jsonb`;

/** Whether run `id` ends too late for its day's partition, which retention drops whole. */
export const isLate = (id: Sql): Sql => sql`${id} < (SELECT duework.first_id_today(-1))`;

/** The head of every INSERT of attempts, up to the columns that `run`, the row, has, and `logs`; the others follow. */
export const insertAttempts = (run: Sql, logs: Sql = sql`NULL::text`): Sql => sql`INSERT INTO duework.job_attempts (
        is_late, run_id, fence, attempt, job_type, worker, claimed_at, logs, outcome, error_code, error_type, error_message, error_stack,
        abort_code, abort_stage
      )
      SELECT ${isLate(sql`${run}.id`)}
      , ${run}.id, ${run}.fence, ${run}.attempts, ${run}.job_type, ${run}.locked_by, ${run}.claimed_at, ${logs}`;

/**
 * The gates of the rows of this CTE pass on to whoever waits at them, in this statement: a CTE, to be named in the SELECT,
 * without a row where none of them has gates. The function looks with a snapshot of its own, which sees what the CTE has
 * written. `notes`: what their ends tell of the gates, see `noteGates`.
 */
export const passGates = (notes: string | null, rows: Sql): Sql => sql`passed AS MATERIALIZED (
    SELECT duework.let_in(notes => ${notes}::text::jsonb, look_at => ARRAY(
      SELECT DISTINCT g.gate FROM ${rows} AS x CROSS JOIN LATERAL unnest(x.gates) AS g (gate)
    )) AS runs
    WHERE EXISTS (SELECT FROM ${rows} AS x WHERE x.gates IS NOT NULL)
  )`;

/** The same, and the worker gets those who are let in: `took`, as `duework.let_in_and_take` returns it. */
export function passGatesTo({ contracts, worker, queues, limit }: Taker, notes: string | null, rows: Sql): Sql {
  const { types, versions, leasesMs } = readableVersions(contracts);
  return sql`passed AS MATERIALIZED (
    SELECT duework.let_in_and_take(
      ARRAY(SELECT DISTINCT g.gate FROM ${rows} AS x CROSS JOIN LATERAL unnest(x.gates) AS g (gate)),
      ${notes}::text::jsonb, ${worker}::text, ${queues}::text[], ${types}::text[], ${toArray(versions)}::text::integer[],
      ${toArray(leasesMs)}::text::float8[], ${limit}::integer
    ) AS took
    WHERE EXISTS (SELECT FROM ${rows} AS x WHERE x.gates IS NOT NULL)
  )`;
}

/** True, once gates have been passed on. */
export const havePassed: Sql = sql`(SELECT count(runs) FROM passed) >= 0`;

/** Why an attempt was aborted and how far the abort had to go, as columns of `input`; both null: it ended by itself. */
export interface AbortColumns {
  readonly abort_code: string | null;
  readonly abort_stage: string | null;
}

/** What failed, as columns of `input`. */
export const errorColumns: Sql = sql`, code text, error_type text, message text, stack text, logs text, abort_code text, abort_stage text`;
