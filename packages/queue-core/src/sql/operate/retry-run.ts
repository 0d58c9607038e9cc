import type { Act } from '../../ports/act.js';
import { areInLine, lineUp } from '../flow/hold-again.js';
import { insertAudit } from './insert-audit.js';
import { empty, isoText, queryRows, sql, type Queryable, type Sql } from '@duework/sql';
import type { Retry } from '../../ports/operator.js';
import { anew, returnToQueue } from './return-to-queue.js';

/**
 * An operator's "run it now": a waiting run becomes due (one that is due keeps its place), a dead or cancelled one
 * comes back with all its attempts. Its fence stays, because nothing may ever lower it. No row: it is running,
 * succeeded, or not there.
 *
 * The operator also decides what no program can know: whether an `unknown` effect of the run has happened, or may be
 * done again. With `fromStep` the run forgets that step and what it has done after it, and its children that these have
 * enqueued are enqueued anew. What the run's row forgets (who had cancelled it, and why), the audit keeps.
 */
export function retryRun(
  db: Queryable,
  id: string,
  { effectsHappened, fromStep }: Retry,
  act: Act = {},
): Promise<{ run_at_ms: number }[]> {
  return queryRows(
    db,
    sql`
    WITH target AS MATERIALIZED (
      SELECT id, status, run_at, attempts FROM duework.job_runs
      WHERE id = ${id}::bigint AND status IN ('queued', 'failed')
      FOR UPDATE
    ),
    due AS (
      UPDATE duework.job_runs
      SET status = 'queued', run_at = least(run_at, now())
      WHERE id = (SELECT id FROM target) AND status IN ('queued', 'failed')
      RETURNING id, gates, run_at, duework.notify('duework_wake', queue)::text AS told
    ),
    r AS (
      DELETE FROM duework.job_history
      WHERE id = ${id}::bigint AND status IN ('dead', 'cancelled')
      RETURNING *
    ),
    returned AS (
      ${returnToQueue(sql`r`, anew)}
      RETURNING id, gates, run_at, duework.notify('duework_wake', queue)::text AS told
    ),
    ${fromStep === null ? empty : forgetFrom(id, fromStep)}
    ${lineUp(sql`(SELECT id, gates FROM due UNION ALL SELECT id, gates FROM returned)`)},
    judged AS (
      UPDATE duework.job_effects
      SET status = CASE WHEN ${effectsHappened}::boolean THEN 'done' ELSE 'approved' END,
          done_at = CASE WHEN ${effectsHappened}::boolean THEN now() END
      WHERE run_id = ${id}::bigint AND status = 'unknown' AND (EXISTS (SELECT FROM due) OR EXISTS (SELECT FROM returned))
      RETURNING status
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'retry',
        kind: 'job',
        target: sql`${id}::text`,
        before: sql`jsonb_strip_nulls(w.was)`,
        after: sql`jsonb_strip_nulls(jsonb_build_object(
          'status', 'queued', 'runAt', ${isoText(sql`coalesce((SELECT run_at FROM due), now())`)}, 'attempts', w.attempts, 'effects', (SELECT min(status) FROM judged), 'fromStep', ${fromStep}::text
        ))`,
        from: sql`(
          SELECT t.attempts, jsonb_build_object('status', t.status, 'runAt', ${isoText(sql`t.run_at`)}, 'attempts', t.attempts) AS was
          FROM target t WHERE EXISTS (SELECT FROM due)
          UNION ALL
          SELECT 0, jsonb_build_object(
            'status', r.status, 'attempts', r.attempts, 'finishedAt', ${isoText(sql`r.finished_at`)}, 'errorCode', r.error_code,
            'cancelRequestedAt', ${isoText(sql`r.cancel_requested_at`)}, 'cancelRequestedBy', r.cancel_requested_by,
            'cancelReason', r.cancel_reason, 'acknowledgedAt', ${isoText(sql`r.acknowledged_at`)}
          )
          FROM r
        ) AS w`,
      })}
    )
    SELECT (extract(epoch FROM run_at) * 1000)::float8 AS run_at_ms FROM due WHERE ${areInLine}
    UNION ALL
    SELECT (extract(epoch FROM run_at) * 1000)::float8 FROM returned WHERE ${areInLine}
  `,
  );
}

/** A child whose key says only of whom it is, or that has not succeeded, makes room for another one. */
const forgetFrom = (id: string, step: string): Sql => sql`forgotten AS (
      DELETE FROM duework.job_steps AS s
      WHERE s.run_id = ${id}::bigint AND (EXISTS (SELECT FROM due) OR EXISTS (SELECT FROM returned))
        AND (s.done_seq IS NULL OR s.name = ${step}::text OR s.done_seq >= (
          SELECT f.done_seq FROM duework.job_steps AS f WHERE f.run_id = ${id}::bigint AND f.name = ${step}::text
        ))
      RETURNING s.awaits, s.awaited
    ),
    freed AS (
      DELETE FROM duework.job_keys AS k USING duework.job_history AS h, forgotten AS f
      WHERE f.awaits = 'child' AND h.id = f.awaited::bigint AND k.run_id = h.id
        AND k.job_type = h.job_type AND k.key = h.idempotency_key
        AND (h.status <> 'succeeded' OR k.key LIKE 'child:' || ${id}::text || ':%')
    ),`;
