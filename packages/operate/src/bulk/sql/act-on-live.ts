import { gateIn, gatesIn, heldUntil, havePassed, lineUpAnew } from '@duework/queue-core/internals';
import { empty, sql, type Sql } from '@duework/sql';

/**
 * CTEs that change waiting runs by `set`, the SET of an UPDATE of `j`. They are locked in the order of their ids, as every
 * batch locks them. The update looks each up by its id: with `= ANY` beside the join, it would look up all for each.
 */
export function changeWaiting(actionId: string, set: Sql): Sql {
  return sql`locked AS MATERIALIZED (
      SELECT j.id, j.status, j.run_at, j.priority, j.queue, j.held_by FROM duework.job_runs AS j
      WHERE j.id = ANY(ARRAY(SELECT id FROM picked)) ORDER BY j.id FOR UPDATE
    ),
    updated AS (
      UPDATE duework.job_runs AS j SET ${set}
      FROM locked AS l
      WHERE j.id = l.id AND l.status IN ('queued', 'failed') AND j.status IN ('queued', 'failed')
      RETURNING j.id, j.queue, j.fence, j.gates, j.held_by IS DISTINCT FROM l.held_by AS is_held_anew,
        jsonb_build_object('status', l.status, 'runAt', l.run_at, 'priority', l.priority, 'queue', l.queue) AS was,
        jsonb_build_object('runAt', j.run_at, 'priority', j.priority, 'queue', j.queue) AS as_left
    ),
    undos AS (
      INSERT INTO duework.bulk_undos (bulk_action_id, run_id, fence, was, as_left)
      SELECT ${actionId}::bigint, u.id, u.fence, u.was, u.as_left FROM updated AS u
    ),
    ${lineUpAnew(sql`updated`, sql`(SELECT * FROM updated WHERE is_held_anew)`)},
    acted AS (SELECT id, queue FROM updated WHERE ${havePassed})`;
}

/** The SET of a change of waiting runs. */
export const SET = {
  /** Within the time that a step has, so that not all are due at once; what is due already keeps its place. */
  retry: (stepMs: number, priority: number | null): Sql =>
    sql`status = 'queued', run_at = least(j.run_at, now() + random() * ${stepMs}::float8 * interval '1 millisecond'),
        priority = coalesce(${priority}::smallint, j.priority)`,
  reschedule: (runAt: string, spreadMs: number): Sql =>
    sql`run_at = ${runAt}::text::timestamptz${spreadMs === 0 ? empty : sql` + random() * ${spreadMs}::float8 * interval '1 millisecond'`},
        held_by = ${heldUntil(sql`(${runAt}::text::timestamptz + ${spreadMs}::float8 * interval '1 millisecond')`)}`,
  priority: (priority: number): Sql => sql`priority = ${priority}::smallint`,
  queue: (queue: string): Sql => changeQueue(sql`${queue}::text`),
};

/** The SET of a change of the queue of `j`: it leaves the line of its tenant, and what the pause of its old queue has held. */
export const changeQueue = (queue: Sql): Sql => sql`queue = ${queue}, gates = ${gatesIn(sql`j.gates`, queue)},
        held_by = CASE WHEN j.held_by LIKE 'pause/%' THEN ${gateIn(sql`j.gates[1]`, queue)} ELSE ${gateIn(sql`j.held_by`, queue)} END`;
