import type { Queryable } from '@duework/queue-core';
import { queryRows, sql, toArray } from '@duework/sql';

/**
 * Due runs of each queue and priority that are looked at to find what runs; more than four of them share four times as
 * many.
 */
const BUDGET = 2_000;

export interface RunningRow {
  readonly type: string;
  /** The step that it has ended last; null: none. */
  readonly step: string | null;
  readonly jobs: number;
  readonly sinceMs: number;
  readonly isAtLeast: boolean;
}

/** The running runs of some types, by the step that each has ended last. */
export async function findRunning(db: Queryable, types: readonly string[]): Promise<RunningRow[]> {
  return queryRows(
    db,
    sql`
    WITH leased AS MATERIALIZED (
      SELECT r.id, r.job_type, r.claimed_at, r.is_at_least FROM duework.find_leased_runs(duework.share_budget(${BUDGET}::integer)) AS r
      WHERE r.job_type = ANY(${toArray(types)}::text::text[])
    ),
    placed AS (
      SELECT l.job_type, l.claimed_at, l.is_at_least, (
        SELECT regexp_replace(s.name, ' [0-9]+$', '') FROM duework.job_steps AS s
        WHERE s.run_id = l.id AND s.done_seq IS NOT NULL AND s.name <> '$graph'
        ORDER BY s.done_seq DESC LIMIT 1
      ) AS step
      FROM leased AS l
    )
    SELECT job_type AS type, step, count(*)::integer AS jobs, (extract(epoch FROM min(claimed_at)) * 1000)::float8 AS "sinceMs",
      bool_or(is_at_least) AS "isAtLeast"
    FROM placed
    GROUP BY job_type, step
  `,
  );
}
