import { sql, type Sql } from '@duework/sql';

/**
 * The one way back from the history to the queue: for the retry of one run, for that of many, and for the undo of a
 * cancellation. A column that is added to job_runs is kept or decided here, and nowhere else.
 */

/** What a run has in its history and takes along. Its fence too, because nothing may ever lower it. */
const kept = sql`id, queue, job_type, job_version, payload, idempotency_key, max_attempts, fence,
        claimed_at, failed_at, error_code, error_type, last_error, created_at, meta, gates, gate_units`;

/** What is decided when a run comes back: pieces of SQL, of a row of the history. */
export interface Return {
  readonly status: Sql;
  readonly priority: Sql;
  readonly runAt: Sql;
  readonly attempts: Sql;
  readonly snoozes: Sql;
  readonly snoozedAt: Sql;
  readonly releases: Sql;
  readonly terms: Sql;
}

/** As a retry brings it back: with all its attempts, due now. */
export const anew: Return = {
  status: sql`'queued'`,
  priority: sql`priority`,
  runAt: sql`now()`,
  attempts: sql`0`,
  snoozes: sql`0`,
  snoozedAt: sql`NULL::timestamptz`,
  releases: sql`NULL::integer`,
  // a person wants it now, whatever time it had
  terms: sql`nullif(terms - ARRAY['expiresAt', 'onExpired', 'retryUntil'], '{}')`,
};

/** Columns that stay empty: a run that waits has no lease, nobody wants it cancelled, and it has made no progress again. */
export const leftEmpty: readonly string[] = [
  'locked_by',
  'locked_until',
  'cancel_requested_at',
  'cancel_requested_by',
  'cancel_reason',
  'progress',
];

/**
 * INSERT … SELECT of the rows of `from`, which were deleted from the history; who calls it adds what it returns.
 *
 * A run that has gates comes back held at the first of them, and no claim sees it: it has yet to stand in line, which
 * `duework.line_up(ids)` does in the same statement.
 */
export const returnToQueue = (from: Sql, decided: Return): Sql => sql`INSERT INTO duework.job_runs (
        ${kept}, held_by, status, priority, run_at, attempts, snoozes, snoozed_at, releases, terms
      )
      SELECT ${kept}, gates[1], ${decided.status}, ${decided.priority}, ${decided.runAt}, ${decided.attempts}, ${decided.snoozes},
        ${decided.snoozedAt}, ${decided.releases}, ${decided.terms}
      FROM ${from}`;
