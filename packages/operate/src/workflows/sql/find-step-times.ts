import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';
import type { WorkflowStep } from '../workflow-type.js';

/** Steps that are measured, of all types. */
const BUDGET = 2_500;

/** How long the steps of each type took lately. */
export function findStepTimes(db: Queryable): Promise<(WorkflowStep & { readonly type: string })[]> {
  return queryRows(
    db,
    sql`
    SELECT job_type AS type, step, kind, times, median_ms AS "medianMs", p95_ms AS "p95Ms", failed
    FROM duework.find_step_times(${BUDGET}::integer)
    ORDER BY p95_ms DESC, job_type, step
  `,
  );
}
