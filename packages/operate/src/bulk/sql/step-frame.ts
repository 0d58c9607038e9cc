import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql, type Sql } from '@duework/sql';
import type { Queryable } from '@duework/queue-core';
import type { BulkActionRow } from './bulk-action-row.js';

/** How a step's statement is made. */
export interface StepParts {
  readonly action: BulkActionRow;
  /**
   * A SELECT of what the step looks at: `id` and `verdict` (null: none of its own, an empty text: to be changed, else the
   * code of a refusal), in the order of ids, only where `EXISTS (SELECT FROM action)`.
   */
  readonly scanned: Sql;
  /** How many rows `scanned` has at most; fewer: they were the last ones. */
  readonly scanLimit: number;
  readonly limit: number;
  /** CTEs that change the rows whose ids `picked` has; one named `acted` has `id` and `queue` of those that were changed. */
  readonly act: Sql;
  /** Where the action goes on when this stage has ended; null: it is finished. */
  readonly nextStage: string | null;
}

export interface StepResult {
  readonly done: number;
  readonly isFinished: boolean;
}

/**
 * One step of an action, in one statement: what it changes, the list of what it changed and the place where the next step
 * begins are written together, so that a crash loses none of it and repeats none.
 *
 * Of two processes that step an action at once, one passes over the locked row; one that comes later finds that the row
 * has moved on. Both return null, having changed nothing.
 */
export async function takeStep(db: Queryable, parts: StepParts): Promise<StepResult | null> {
  const { action, scanned, scanLimit, limit, act, nextStage } = parts;
  const [row] = await queryRows<{ done: number; status: string }>(
    db,
    sql`
    WITH action AS MATERIALIZED (
      SELECT * FROM duework.bulk_actions
      WHERE id = ${action.id}::bigint AND status = 'running'
        AND stage = ${action.stage}::text AND after_id = ${action.afterId}::bigint
      FOR UPDATE SKIP LOCKED
    ),
    scanned AS MATERIALIZED (${scanned}),
    picked AS MATERIALIZED (SELECT id FROM scanned WHERE verdict = '' ORDER BY id LIMIT ${limit}::integer),
    place AS MATERIALIZED (
      SELECT
        CASE WHEN p.n = ${limit}::integer THEN p.last_id ELSE s.last_id END AS last_id,
        p.n < ${limit}::integer AND s.n < ${scanLimit}::integer AS is_end,
        p.n AS picked
      FROM (SELECT count(*) AS n, max(id) AS last_id FROM picked) AS p,
        (SELECT count(*) AS n, max(id) AS last_id FROM scanned) AS s
    ),
    ${act},
    listed AS (
      INSERT INTO duework.bulk_action_runs (bulk_action_id, stage, first_id, last_id, run_ids)
      SELECT ${action.id}::bigint, ${action.stage}::text, min(id), max(id), array_agg(id ORDER BY id) FROM acted HAVING count(*) > 0
    ),
    refused AS (
      SELECT coalesce(jsonb_object_agg(code, n), '{}') AS counts
      FROM (
        SELECT code, sum(n)::bigint AS n
        FROM (
          SELECT key AS code, value::bigint AS n FROM action AS a, jsonb_each_text(a.refused)
          UNION ALL
          SELECT s.verdict, 1 FROM scanned AS s, place AS p WHERE s.verdict <> '' AND s.id <= p.last_id
          UNION ALL
          -- since this statement looked, somebody else has changed them
          SELECT 'changed_meanwhile', p.picked - (SELECT count(*) FROM acted) FROM place AS p
        ) AS each (code, n)
        GROUP BY code HAVING sum(n) > 0
      ) AS summed
    ),
    moved AS (
      UPDATE duework.bulk_actions AS a
      SET done = a.done + c.n, refused = (SELECT counts FROM refused),
        stage = CASE WHEN p.is_end THEN coalesce(${nextStage}::text, a.stage) ELSE a.stage END,
        after_id = CASE WHEN p.is_end AND ${nextStage}::text IS NOT NULL THEN 0 ELSE coalesce(p.last_id, a.after_id) END,
        status = CASE WHEN p.is_end AND ${nextStage}::text IS NULL THEN 'finished' ELSE 'running' END,
        finished_at = CASE WHEN p.is_end AND ${nextStage}::text IS NULL THEN now() END,
        options = CASE WHEN p.is_end AND ${nextStage}::text IS NULL THEN a.options - ARRAY['value', 'sensitiveValue'] ELSE a.options END,
        -- as many a second as it may; what a pause has left over is not made up for in one go
        next_step_at = greatest(a.next_step_at, now() - interval '1 second') + c.n * interval '1 second' / a.per_second
      FROM place AS p, (SELECT count(*) AS n FROM acted) AS c
      WHERE a.id = (SELECT id FROM action)
      RETURNING a.id, a.status, a.done, a.refused, c.n
    ),
    audited AS (
      ${insertAudit(action, {
        verb: 'finish_bulk_action',
        kind: 'bulk_action',
        target: sql`m.id::text`,
        before: sql`NULL::jsonb`,
        after: sql`jsonb_build_object('done', m.done, 'refused', m.refused)`,
        from: sql`moved AS m WHERE m.status = 'finished'`,
      })}
    )
    SELECT m.n::integer AS done, m.status, (
      SELECT count(duework.notify('duework_wake', q.queue)::text) FROM (SELECT DISTINCT queue FROM acted WHERE queue IS NOT NULL) AS q
    )::integer AS told
    FROM moved AS m
  `,
  );
  return row === undefined ? null : { done: row.done, isFinished: row.status === 'finished' };
}
