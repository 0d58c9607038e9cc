import { isoText, parseExactly, queryRows, sql, type Queryable } from '@duework/sql';
import type { Json } from '../../queue/job.js';
import type { StepRow, StepStore, WaitRow } from '../../ports/steps.js';

type Row = Omit<StepRow, 'result'> & WaitRow & { readonly isWaiting: boolean; readonly result: string | null };

const columns = sql`name, status, asked_seq AS "askedSeq", done_seq AS "doneSeq", open, result::text, error,
      status = 'waiting' AS "isWaiting", ${isoText(sql`wakes_at`)} AS "wakesAt"`;

/**
 * What a run has done, in the order in which it was done, and what it waits for. What has arrived comes behind all that is
 * known, from the claim on that reads it first; one that has lost its run does not see it.
 */
export async function readSteps(db: Queryable, id: string, fence: number): ReturnType<StepStore['readSteps']> {
  const rows = await queryRows<Row>(
    db,
    sql`
    WITH arrived AS MATERIALIZED (
      SELECT name, row_number() OVER (ORDER BY done_at, name) AS place,
        (SELECT coalesce(max(done_seq), 0) FROM duework.job_steps WHERE run_id = ${id}::bigint) AS last_seq
      FROM duework.job_steps
      WHERE run_id = ${id}::bigint AND status = 'arrived' AND EXISTS (
        SELECT FROM duework.job_runs
        WHERE id = ${id}::bigint AND fence = ${fence}::bigint AND locked_by IS NOT NULL
      )
    ),
    taken AS (
      UPDATE duework.job_steps AS s
      SET status = CASE WHEN s.error IS NULL THEN 'done' ELSE 'failed' END, fence = ${fence}::bigint, done_seq = a.last_seq + a.place
      FROM arrived AS a
      WHERE s.run_id = ${id}::bigint AND s.name = a.name AND s.status = 'arrived'
      RETURNING s.*
    ),
    known AS (
      SELECT * FROM taken
      UNION ALL
      SELECT * FROM duework.job_steps WHERE run_id = ${id}::bigint AND status <> 'arrived'
    )
    SELECT ${columns} FROM known ORDER BY done_seq, name
  `,
  );
  return {
    done: rows
      .filter(({ isWaiting }) => !isWaiting)
      .map(({ isWaiting: _, wakesAt: __, result, ...row }) => ({
        ...row,
        result: parseExactly(result ?? 'null') as Json,
      })),
    waits: rows.filter(({ isWaiting }) => isWaiting).map(({ name, wakesAt }) => ({ name, wakesAt })),
  };
}
