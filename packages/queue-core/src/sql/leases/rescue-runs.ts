import { RETRY_BUDGET_EXHAUSTED } from '../../ports/runs.js';
import { LOST_MESSAGE, type RescuedRun, type WhoseRuns } from '../../ports/upkeep.js';
import { copiedColumns, havePassed, insertAttempts, insertHistory, passGates } from '../fragments.js';
import { empty, queryRows, sql, type Queryable } from '@duework/sql';
import { workerLock } from './worker-lock.js';

/**
 * Gives back runs whose lease expired, the longest expired first, or all runs of the `workers` that are named: due
 * again; or dead when their attempts or their time are used up, so that a run that kills its worker does not do so for
 * ever; or cancelled when somebody had asked for that. The attempt stays charged.
 *
 * A run is due at once, because most often the run was not to blame; but where its attempt before was lost too, it is
 * due after the backoff of its type. The policy is read from `job_definitions`, because the rescuing worker may not
 * know the contract.
 *
 * `expiredBeforeMs`: only leases that were over at that moment of the database's clock.
 *
 * Any number of workers may rescue at once. A lease that is renewed while this statement runs is checked again under
 * the row's lock, and the run is left alone. A worker counts as vanished only if it is registered and nobody holds its
 * lock; this statement then holds that lock exclusively, so that the worker cannot come back meanwhile.
 */
export function rescueRuns(
  db: Queryable,
  limit: number,
  { workers, expiredBeforeMs }: WhoseRuns = {},
): Promise<RescuedRun[]> {
  const named =
    workers === undefined
      ? empty
      : sql`
    registered AS MATERIALIZED (
      SELECT name FROM duework.workers WHERE name = ANY(${workers}::text[])
    ),
    dead AS MATERIALIZED (
      SELECT name FROM registered WHERE pg_try_advisory_xact_lock(${workerLock(sql`name`)})
    ),`;
  const end =
    expiredBeforeMs === undefined ? sql`now()` : sql`least(now(), to_timestamp(${expiredBeforeMs}::float8 / 1000))`;
  const isLost =
    workers === undefined ? sql`locked_until < ${end}` : sql`locked_by = ANY(ARRAY(SELECT name FROM dead))`;
  return queryRows(
    db,
    sql`
    WITH ${named}
    lost AS MATERIALIZED (
      SELECT id, attempts, locked_by, fence, claimed_at, job_type, cancel_requested_at,
        attempts >= max_attempts AS is_spent, (terms ->> 'retryUntil')::timestamptz <= now() IS TRUE AS is_late
      FROM duework.job_runs
      -- found without a lock, and checked again under it
      WHERE id = ANY(ARRAY(SELECT id FROM duework.running_runs WHERE ${isLost})) AND locked_by IS NOT NULL AND ${isLost}
      ORDER BY locked_until
      LIMIT ${limit}::integer
      FOR UPDATE SKIP LOCKED
    ),
    requeued AS (
      UPDATE duework.job_runs AS j
      SET status = 'failed', run_at = now() + CASE
            -- the error of the attempt before, which claims keep; after an operator's retry attempts count from 1 again
            WHEN j.attempts > 1 AND j.error_code = 'worker_lost' THEN interval '1 millisecond'
              * duework.backoff_ms((SELECT d.retry FROM duework.job_definitions AS d WHERE d.type = j.job_type), j.attempts, random())
            ELSE interval '0'
          END,
          locked_by = NULL, locked_until = NULL,
          -- due at once it keeps its gates, for the next worker
          held_by = CASE WHEN j.attempts > 1 AND j.error_code = 'worker_lost' THEN duework.gate_to_retry(j.gates) END,
          failed_at = now(), error_code = 'worker_lost', error_type = 'LeaseExpired', last_error = ${LOST_MESSAGE}::text
      WHERE j.id = ANY(ARRAY(SELECT id FROM lost WHERE NOT is_spent AND NOT is_late AND cancel_requested_at IS NULL))
      RETURNING j.id, j.gates, duework.notify('duework_wake', j.queue)::text AS told
    ),
    r AS (
      DELETE FROM duework.job_runs AS j
      WHERE j.id = ANY(ARRAY(SELECT id FROM lost WHERE is_spent OR is_late OR cancel_requested_at IS NOT NULL))
      RETURNING j.*
    ),
    recorded AS (
      ${insertHistory}
      SELECT ${copiedColumns}, CASE WHEN r.cancel_requested_at IS NULL THEN 'dead' ELSE 'cancelled' END,
        now(), CASE WHEN r.attempts < r.max_attempts AND r.cancel_requested_at IS NULL THEN ${RETRY_BUDGET_EXHAUSTED}::text ELSE 'worker_lost' END,
        'LeaseExpired', ${LOST_MESSAGE}::text,
        r.cancel_requested_at, r.cancel_requested_by, r.cancel_reason, NULL::jsonb
      FROM r
      -- read by what passes them on, because a dead run may keep its order, and what nobody reads is written last
      RETURNING gates
    ),
    attempted AS (
      ${insertAttempts(sql`l`)},
        'lost', 'worker_lost', 'LeaseExpired', ${LOST_MESSAGE}::text, NULL, NULL, NULL
      FROM lost AS l
    ),
    lined AS MATERIALIZED (
      SELECT duework.line_up(ARRAY(SELECT id FROM requeued WHERE gates IS NOT NULL))::text AS told
      WHERE EXISTS (SELECT FROM requeued WHERE gates IS NOT NULL)
    ),
    gated AS MATERIALIZED (
      SELECT gates FROM requeued WHERE (SELECT count(told) FROM lined) >= 0 UNION ALL SELECT gates FROM recorded
    ),
    ${passGates(null, sql`gated`)}
    SELECT l.id::text AS id, l.job_type AS type, l.locked_by AS worker, l.attempts AS attempt,
      CASE WHEN l.cancel_requested_at IS NOT NULL THEN 'cancelled' WHEN l.is_spent OR l.is_late THEN 'dead' ELSE 'failed' END
        AS status
    FROM lost AS l
    WHERE ${havePassed}
  `,
  );
}
