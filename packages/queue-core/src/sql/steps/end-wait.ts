import { queryRows, sql, type Queryable } from '@duework/sql';
import type { EndedWait, StepFailure, StepStore } from '../../ports/steps.js';
import type { Json } from '../../queue/job.js';

/** Ends a wait, whose time is over or whose result has arrived, only while the claim owns the run. */
export async function endWait(
  db: Queryable,
  { id, fence, name, doneSeq }: EndedWait,
): ReturnType<StepStore['endWait']> {
  const [row] = await queryRows<{ result: Json; error: StepFailure | null }>(
    db,
    sql`
    UPDATE duework.job_steps AS s
    SET status = CASE WHEN s.error IS NULL THEN 'done' ELSE 'failed' END, fence = ${fence}::bigint,
      done_seq = ${doneSeq}::integer, done_at = now()
    WHERE (s.run_id, s.name) IN (
      SELECT w.run_id, w.name FROM duework.job_steps AS w
      WHERE w.run_id = ${id}::bigint AND w.name = ${name}::text AND w.status IN ('waiting', 'arrived')
        AND EXISTS (
          SELECT FROM duework.job_runs AS j WHERE j.id = w.run_id AND j.fence = ${fence}::bigint AND j.locked_by IS NOT NULL
        )
      -- whoever has the row is about to end the wait with a result
      FOR UPDATE SKIP LOCKED
    )
    RETURNING s.result, s.error
  `,
  );
  if (row === undefined) return null;
  return row.error === null ? { result: row.result } : { result: row.result, error: row.error };
}
