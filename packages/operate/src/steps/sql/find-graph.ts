import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { GraphJob } from '../job-step.js';

/**
 * The jobs of a workflow, which its first step has written down, and what has become of the children of each: those of a list
 * have its name and a number.
 */
export function findGraph(db: Queryable, id: string): Promise<GraphJob[]> {
  return queryRows(
    db,
    sql`
    WITH children AS MATERIALIZED (
      SELECT name, awaited, coalesce(result ->> 'status', '') AS ended
      FROM duework.job_steps WHERE run_id = ${id}::bigint AND awaits = 'child'
    ),
    named AS (
      SELECT name, false AS is_each, awaited, ended FROM children
      UNION ALL
      SELECT regexp_replace(name, ' [0-9]+$', ''), true, awaited, ended FROM children WHERE name ~ ' [0-9]+$'
    )
    SELECT g.job ->> 'name' AS name, g.job -> 'after' AS after, g.job -> 'each' IS NOT NULL AS "isEach", count(c.name)::integer AS total,
      (count(*) FILTER (WHERE c.ended = 'succeeded'))::integer AS succeeded,
      (count(*) FILTER (WHERE c.ended IN ('dead', 'cancelled')))::integer AS failed,
      EXISTS (
        SELECT FROM children AS u WHERE u.name = 'undo ' || (g.job ->> 'name') AND u.ended = 'succeeded'
      ) AS "isUndone",
      CASE WHEN g.job -> 'each' IS NULL THEN max(c.awaited) END AS "jobId"
    FROM duework.job_steps AS s
    CROSS JOIN LATERAL jsonb_array_elements(s.result) WITH ORDINALITY AS g (job, place)
    LEFT JOIN named AS c ON c.name = g.job ->> 'name' AND c.is_each = (g.job -> 'each' IS NOT NULL)
    WHERE s.run_id = ${id}::bigint AND s.name = '$graph' AND jsonb_typeof(s.result) = 'array'
    GROUP BY g.job, g.place
    ORDER BY g.place
  `,
  );
}
