import { queryRows, sql, type Queryable } from '@duework/sql';
import type { StepRow } from '../../ports/steps.js';

/** What a run has done, in the order in which it was done. */
export function readSteps(db: Queryable, id: string): Promise<StepRow[]> {
  return queryRows<StepRow>(
    db,
    sql`
    SELECT name, status, asked_seq AS "askedSeq", done_seq AS "doneSeq", open, result, error
    FROM duework.job_steps
    WHERE run_id = ${id}::bigint
    ORDER BY done_seq, name
  `,
  );
}
