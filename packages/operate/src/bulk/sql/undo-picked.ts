import type { ResealedUndos } from '../reseal-undos.js';
import {
  areInLine,
  gatesIn,
  historyColumns,
  havePassed,
  lineUp,
  lineUpAnew,
  type Return,
  returnToQueue,
} from '@duework/queue-core/internals';
import { changeQueue } from './act-on-live.js';
import { textsOf } from './texts-of.js';
import { sql, type Sql, toArray } from '@duework/sql';

const picked = (actionId: string): Sql => sql`u AS MATERIALIZED (
      DELETE FROM duework.bulk_undos WHERE bulk_action_id = ${actionId}::bigint AND run_id = ANY(ARRAY(SELECT id FROM picked)) RETURNING *
    )`;

/** Whether the waiting run `j` is as the action left it, `u`: nobody has claimed it, or changed it again. */
const isAsLeft = sql`j.fence = u.fence AND j.status IN ('queued', 'failed')
        AND (j.run_at, j.priority, j.queue)
          = ((u.as_left->>'runAt')::timestamptz, (u.as_left->>'priority')::smallint, u.as_left->>'queue')`;

/** Each is looked up by its id, once. */
const locked = sql`locked AS MATERIALIZED (
      SELECT j.id, u.fence, u.was, u.as_left FROM u JOIN duework.job_runs AS j ON j.id = u.run_id ORDER BY j.id FOR UPDATE OF j
    )`;

/**
 * CTEs that give waiting runs back what they had: their moment, their priority, their queue; and that make those dead or
 * cancelled again which a retry had brought back.
 */
export function undoWaiting(actionId: string): Sql {
  return sql`${picked(actionId)}, ${locked},
    updated AS (
      UPDATE duework.job_runs AS j
      SET status = u.was->>'status', run_at = (u.was->>'runAt')::timestamptz, priority = (u.was->>'priority')::smallint,
        ${changeQueue(sql`(u.was->>'queue')`)}
      FROM locked AS u
      WHERE j.id = u.id AND ${isAsLeft}
        AND u.was->>'status' IN ('queued', 'failed')
      RETURNING j.id, j.queue, j.gates
    ),
    r AS (
      DELETE FROM duework.job_runs AS j USING locked AS u
      WHERE j.id = u.id AND ${isAsLeft}
        AND u.was->>'status' IN ('dead', 'cancelled')
      RETURNING j.*, u.was
    ),
    recorded AS (
      INSERT INTO duework.job_history (${historyColumns}, acknowledged_at)
      SELECT r.id, r.queue, r.job_type, r.job_version, (r.was->>'priority')::smallint, (r.was->>'runAt')::timestamptz, r.payload, r.idempotency_key,
        (r.was->>'attempts')::integer, r.max_attempts, r.fence, r.was->>'worker', r.claimed_at, r.created_at,
        (r.was->>'snoozes')::integer, (r.was->>'snoozedAt')::timestamptz, r.meta, (r.was->>'releases')::integer,
        r.gates, r.gate_units, r.terms, r.progress,
        (r.was->>'finishedAt')::timestamptz, r.was->>'status',
        r.failed_at, r.error_code, r.error_type, r.last_error, (r.was->>'cancelRequestedAt')::timestamptz,
        r.was->>'cancelRequestedBy', r.was->>'cancelReason', NULL::jsonb, (r.was->>'acknowledgedAt')::timestamptz
      FROM r
    ),
    ${lineUpAnew(sql`updated`, sql`r`)},
    acted AS (SELECT id, queue FROM updated WHERE ${havePassed} UNION ALL SELECT id, NULL FROM r)`;
}

/** As it was when somebody cancelled it. */
const asBefore: Return = {
  status: sql`was->>'status'`,
  priority: sql`priority`,
  runAt: sql`run_at`,
  attempts: sql`attempts`,
  snoozes: sql`snoozes`,
  snoozedAt: sql`snoozed_at`,
  releases: sql`releases`,
  terms: sql`terms`,
};

/** CTEs that make runs wait again which were cancelled while they waited. */
export function undoCancel(actionId: string): Sql {
  return sql`${picked(actionId)},
    r AS (
      DELETE FROM duework.job_history_cancelled AS h USING u
      WHERE h.id = u.run_id AND h.fence = u.fence AND h.finished_at = (u.as_left->>'finishedAt')::timestamptz
      RETURNING h.*, u.was
    ),
    returned AS (
      ${returnToQueue(sql`r ORDER BY id`, asBefore)}
      RETURNING id, queue, gates
    ),
    ${lineUp(sql`returned`)},
    acted AS (SELECT id, queue FROM returned WHERE ${areInLine})`;
}

/**
 * CTEs that give payloads back the field that was edited, or all that they were, where nobody has edited them since.
 * `resealed`: what is given back under the key of now instead of what was kept.
 */
export function undoEdit(actionId: string, names: readonly string[], { payloads, lost }: ResealedUndos): Sql {
  const path = toArray(names);
  const restored = sql`CASE WHEN jsonb_exists(u.was, 'payload')
        THEN coalesce((SELECT payload FROM resealed WHERE id = u.run_id), u.was->'payload')
       WHEN jsonb_exists(u.was, 'value') THEN jsonb_set(j.payload, ${path}::text::text[], u.was->'value') ELSE j.payload #- ${path}::text::text[] END`;
  const wasGates = gatesIn(textsOf(sql`u.was->'gates'`), sql`j.queue`);
  const gates = sql`gates = CASE WHEN jsonb_exists(u.was, 'gates') THEN ${wasGates} ELSE j.gates END,
        gate_units = CASE WHEN jsonb_exists(u.was, 'gates') THEN (${textsOf(sql`u.was->'units'`)})::integer[] ELSE j.gate_units END`;
  const isSame = sql`j.id = u.run_id AND j.fence = u.fence AND md5(j.payload::text) = u.as_left->>'md5'
        AND u.run_id <> ALL(${toArray(lost)}::text::bigint[])`;
  return sql`${picked(actionId)},
    resealed AS MATERIALIZED (
      SELECT id, payload FROM jsonb_to_recordset(${JSON.stringify(payloads)}::text::jsonb) AS x (id bigint, payload jsonb)
    ),
    before AS MATERIALIZED (
      SELECT j.id, j.gates FROM u JOIN duework.job_runs AS j ON j.id = u.run_id
      WHERE jsonb_exists(u.was, 'gates') ORDER BY j.id FOR UPDATE OF j
    ),
    live AS (
      UPDATE duework.job_runs AS j SET payload = ${restored}, ${gates},
        held_by = CASE WHEN jsonb_exists(u.was, 'gates') THEN (${wasGates})[1] ELSE j.held_by END
      FROM u
      WHERE ${isSame} AND j.status IN ('queued', 'failed') RETURNING j.id, j.queue, j.gates
    ),
    ${lineUpAnew(sql`live`, sql`(SELECT b.gates FROM before AS b WHERE b.id IN (SELECT id FROM live))`)},
    dead AS (UPDATE duework.job_history_dead AS j SET payload = ${restored}, ${gates} FROM u WHERE ${isSame} RETURNING j.id),
    cancelled AS (UPDATE duework.job_history_cancelled AS j SET payload = ${restored}, ${gates} FROM u WHERE ${isSame} RETURNING j.id),
    acted AS (
      SELECT id, queue FROM live WHERE ${havePassed} UNION ALL SELECT id, NULL FROM dead UNION ALL SELECT id, NULL FROM cancelled
    )`;
}
