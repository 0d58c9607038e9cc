import { empty, sql, type Sql } from '@duework/queue-core/internals';

/** The picked rows of job_runs, locked in the order of their ids, as every batch locks them. */
const locked = sql`locked AS MATERIALIZED (
      SELECT j.id, j.status, j.run_at, j.priority, j.queue, j.fence, j.attempts FROM duework.job_runs AS j
      WHERE j.id = ANY(ARRAY(SELECT id FROM picked)) ORDER BY j.id FOR UPDATE
    )`;

const was = sql`jsonb_build_object('status', l.status, 'runAt', l.run_at, 'priority', l.priority, 'queue', l.queue)`;

/** What an undo finds a live run by: it is as the action left it. */
const asLeft = sql`jsonb_build_object('runAt', u.run_at, 'priority', u.priority, 'queue', u.queue)`;

/** CTEs that change waiting runs by `set`, the SET of an UPDATE of `j`. */
export function changeWaiting(actionId: string, set: Sql): Sql {
  return sql`${locked},
    updated AS (
      UPDATE duework.job_runs AS j SET ${set}
      -- guard: bulk-waiting-only
      WHERE j.id = ANY(ARRAY(SELECT id FROM locked WHERE status IN ('queued', 'failed'))) AND j.status IN ('queued', 'failed')
      -- guard end: bulk-waiting-only
      RETURNING j.id, j.queue, j.run_at, j.priority, j.fence
    ),
    undos AS (
      INSERT INTO duework.bulk_undos (bulk_action_id, run_id, fence, was, as_left)
      SELECT ${actionId}::bigint, u.id, u.fence, ${was}, ${asLeft} FROM updated AS u JOIN locked AS l ON l.id = u.id
    ),
    acted AS (SELECT id, queue FROM updated)`;
}

/** The SET of a change of waiting runs. */
export const SET = {
  retry: sql`status = 'queued', run_at = now()`,
  reschedule: (runAt: string, spreadMs: number): Sql =>
    sql`run_at = ${runAt}::text::timestamptz${spreadMs === 0 ? empty : sql` + random() * ${spreadMs}::float8 * interval '1 millisecond'`}`,
  priority: (priority: number): Sql => sql`priority = ${priority}::smallint`,
  queue: (queue: string): Sql => sql`queue = ${queue}::text`,
};
