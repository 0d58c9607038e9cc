import { empty, sql, type Sql } from '@duework/sql';

/**
 * CTEs that change waiting runs by `set`, the SET of an UPDATE of `j`. They are locked in the order of their ids, as every
 * batch locks them. The update looks each up by its id: with `= ANY` beside the join, it would look up all for each.
 */
export function changeWaiting(actionId: string, set: Sql): Sql {
  return sql`locked AS MATERIALIZED (
      SELECT j.id, j.status, j.run_at, j.priority, j.queue FROM duework.job_runs AS j
      WHERE j.id = ANY(ARRAY(SELECT id FROM picked)) ORDER BY j.id FOR UPDATE
    ),
    updated AS (
      UPDATE duework.job_runs AS j SET ${set}
      FROM locked AS l
      WHERE j.id = l.id AND l.status IN ('queued', 'failed') AND j.status IN ('queued', 'failed')
      RETURNING j.id, j.queue, j.fence,
        jsonb_build_object('status', l.status, 'runAt', l.run_at, 'priority', l.priority, 'queue', l.queue) AS was,
        jsonb_build_object('runAt', j.run_at, 'priority', j.priority, 'queue', j.queue) AS as_left
    ),
    undos AS (
      INSERT INTO duework.bulk_undos (bulk_action_id, run_id, fence, was, as_left)
      SELECT ${actionId}::bigint, u.id, u.fence, u.was, u.as_left FROM updated AS u
    ),
    acted AS (SELECT id, queue FROM updated)`;
}

/** The SET of a change of waiting runs. */
export const SET = {
  /** Within the time that a step has, so that not all are due at once. */
  retry: (stepMs: number, priority: number | null): Sql =>
    sql`status = 'queued', run_at = now() + random() * ${stepMs}::float8 * interval '1 millisecond',
        priority = coalesce(${priority}::smallint, j.priority)`,
  reschedule: (runAt: string, spreadMs: number): Sql =>
    sql`run_at = ${runAt}::text::timestamptz${spreadMs === 0 ? empty : sql` + random() * ${spreadMs}::float8 * interval '1 millisecond'`}`,
  priority: (priority: number): Sql => sql`priority = ${priority}::smallint`,
  queue: (queue: string): Sql => sql`queue = ${queue}::text`,
};
