import { anew, areInLine, lineUp, lookAt, ordersOf, returnToQueue } from '@duework/queue-core/internals';
import { empty, sql, type Sql } from '@duework/sql';
import type { Stage } from '../stages.js';
import { tableOf } from './verdicts.js';

type HistoryStage = Exclude<Stage, 'live'>;

const pickedIds = sql`= ANY(ARRAY(SELECT id FROM picked))`;

/**
 * CTEs that bring dead or cancelled runs back, as the retry of one does: with all their attempts, their fences as they are.
 * They become due one after the other, `perSecond` a second: a thousand that were due at once would all be claimed before
 * any job that is enqueued a moment later.
 */
export function bringBack(
  actionId: string,
  stage: HistoryStage,
  perSecond: number,
  { effectsHappened, priority = null }: { effectsHappened?: boolean | undefined; priority?: number | null | undefined },
): Sql {
  return sql`r AS (DELETE FROM ${tableOf(stage)} AS h WHERE h.id ${pickedIds} RETURNING h.*),
    due AS MATERIALIZED (
      SELECT r.*, coalesce(${priority}::smallint, r.priority) AS new_priority, now() + (row_number() OVER (ORDER BY r.id) - 1) * interval '1 second' / ${perSecond}::integer AS due_at
      FROM r
    ),
    returned AS (
      ${returnToQueue(sql`due ORDER BY id`, { ...anew, priority: sql`new_priority`, runAt: sql`due_at` })}
      RETURNING id, queue, gates
    ),
    ${effectsHappened === undefined ? empty : judge(effectsHappened)}
    undos AS (
      INSERT INTO duework.bulk_undos (bulk_action_id, run_id, fence, was, as_left)
      SELECT ${actionId}::bigint, r.id, r.fence, ${finishedAs}, jsonb_build_object('runAt', r.due_at, 'priority', r.new_priority, 'queue', r.queue)
      FROM due AS r
    ),
    ${lineUp(sql`returned`)},
    acted AS (SELECT id, queue FROM returned WHERE ${areInLine})`;
}

/** What the row of a finished run has and that of a live one has not. */
const finishedAs = sql`jsonb_build_object(
        'status', r.status, 'priority', r.priority, 'attempts', r.attempts, 'runAt', r.run_at, 'worker', r.worker, 'finishedAt', r.finished_at,
        'snoozes', r.snoozes, 'snoozedAt', r.snoozed_at, 'releases', r.releases, 'acknowledgedAt', r.acknowledged_at,
        'cancelRequestedAt', r.cancel_requested_at, 'cancelRequestedBy', r.cancel_requested_by, 'cancelReason', r.cancel_reason
      )`;

const judge = (effectsHappened: boolean): Sql => sql`judged AS (
      UPDATE duework.job_effects
      SET status = CASE WHEN ${effectsHappened}::boolean THEN 'done' ELSE 'approved' END,
          done_at = CASE WHEN ${effectsHappened}::boolean THEN now() END
      WHERE run_id = ANY(ARRAY(SELECT id FROM r)) AND status = 'unknown'
    ),`;

/** CTEs that free the keys of finished runs, which also acknowledges them: they keep no order shut any more. */
export function freeKeys(stage: HistoryStage): Sql {
  return sql`seen AS (
      UPDATE ${tableOf(stage)} AS h SET acknowledged_at = coalesce(h.acknowledged_at, now())
      WHERE h.id ${pickedIds}
      RETURNING h.id, h.job_type, h.idempotency_key, h.gates
    ),
    ${lookAt(ordersOf(sql`seen`))},
    freed AS (
      DELETE FROM duework.job_keys AS k USING seen AS s
      WHERE k.job_type = s.job_type AND k.key = s.idempotency_key AND k.run_id = s.id
      RETURNING k.run_id
    ),
    acted AS (SELECT run_id AS id, NULL::text AS queue FROM freed)`;
}

/** CTEs that delete finished runs and their keys: a key whose run is gone would answer with a run that nobody finds. */
export function deleteFinished(stage: HistoryStage): Sql {
  return sql`gone AS (
      DELETE FROM ${tableOf(stage)} AS h WHERE h.id ${pickedIds} RETURNING h.id, h.job_type, h.idempotency_key, h.gates
    ),
    ${lookAt(ordersOf(sql`gone`))},
    freed AS (
      DELETE FROM duework.job_keys AS k USING gone AS g
      WHERE k.job_type = g.job_type AND k.key = g.idempotency_key AND k.run_id = g.id
    ),
    acted AS (SELECT id, NULL::text AS queue FROM gone)`;
}
