import type { Queryable } from '@duework/queue-core';
import { queryRows, sql, type Sql } from '@duework/sql';
import type { BulkPlan } from '../bulk-plan.js';
import type { Stage } from '../stages.js';
import { tableOf, verdictOf } from './verdicts.js';

export interface BulkCount {
  readonly count: number;
  /** Whether there are more than were looked at. */
  readonly isAtLeast: boolean;
}

/** How many rows of one stage a count looks at: some 0.5 s, unless a row costs much. */
const BUDGET = 250_000;

/** The verdict of a row that came too late to be looked at. */
const LATE = '?';

/** After 0.7 s no more rows are looked at. */
const inTime = (verdict: Sql): Sql =>
  sql`CASE WHEN clock_timestamp() < statement_timestamp() + interval '700 ms' THEN ${verdict} ELSE ${LATE}::text END`;

/** What an action would do with the jobs of one stage: how many by verdict, an empty text for those that it changes. */
export async function countVerdicts(
  db: Queryable,
  plan: BulkPlan,
  stage: Stage,
): Promise<{ verdicts: ReadonlyMap<string, number>; isAtLeast: boolean }> {
  const rows = await queryRows<{ verdict: string | null; n: number; looked: number }>(
    db,
    sql`
    WITH scanned AS MATERIALIZED (
      SELECT ${inTime(verdictOf(plan, stage))} AS verdict FROM ${tableOf(stage)} AS j LIMIT ${BUDGET}::integer
    )
    SELECT verdict, count(*)::integer AS n, (SELECT count(*) FROM scanned)::integer AS looked FROM scanned GROUP BY verdict
  `,
  );
  const isLate = rows.some(({ verdict }) => verdict === LATE);
  return {
    verdicts: new Map(
      rows.flatMap(({ verdict, n }) => (verdict === null || verdict === LATE ? [] : [[verdict, n] as const])),
    ),
    isAtLeast: isLate || (rows[0]?.looked ?? 0) >= BUDGET,
  };
}

/** The ids of some jobs of one stage that an action would look at, and its verdict of each; the oldest first. */
export function sampleVerdicts(
  db: Queryable,
  plan: BulkPlan,
  stage: Stage,
  limit: number,
): Promise<{ id: string; verdict: string }[]> {
  return queryRows(
    db,
    sql`
    SELECT s.id::text AS id, s.verdict
    FROM (
      SELECT j.id, ${inTime(verdictOf(plan, stage))} AS verdict FROM ${tableOf(stage)} AS j ORDER BY j.id LIMIT ${BUDGET}::integer
    ) AS s
    WHERE s.verdict <> ${LATE}::text
    ORDER BY s.id
    LIMIT ${limit}::integer
  `,
  );
}
