import type { Queryable, StepFailure } from '@duework/queue-core';
import { parseExactly, queryRows, sql } from '@duework/sql';
import { MAX_RESULT_BYTES, type JobStep } from '../job-step.js';

export interface StepRow extends Pick<JobStep, 'name' | 'kind' | 'result' | 'isLong' | 'end' | 'fence'> {
  readonly status: 'waiting' | 'arrived' | 'done' | 'failed';
  readonly awaited: string | null;
  readonly until_ms: number | null;
  readonly has_result: boolean;
  readonly error: StepFailure | null;
  readonly end_code: string | null;
  readonly end_error: string | null;
  readonly began_ms: number;
  readonly done_ms: number;
  readonly seq: number;
}

/**
 * Steps of a run by its primary key, sorted: of those that were asked for as the `seq`th or later, without the first `skip`. What
 * a workflow is made of is no step to people.
 */
export async function findSteps(
  db: Queryable,
  id: string,
  { seq, skip, limit }: { readonly seq: number; readonly skip: number; readonly limit: number },
): Promise<StepRow[]> {
  const rows = await queryRows<StepRow & { readonly result: string | null }>(
    db,
    sql`
    SELECT name, status, coalesce(awaits, CASE WHEN wakes_at IS NULL THEN 'work' ELSE 'time' END) AS kind, awaited,
      (extract(epoch FROM wakes_at) * 1000)::float8 AS until_ms, fence::float8 AS fence, asked_seq AS seq,
      result IS NOT NULL AS has_result, error, (extract(epoch FROM began_at) * 1000)::float8 AS began_ms,
      (extract(epoch FROM done_at) * 1000)::float8 AS done_ms,
      -- of a job that has ended everything but its own result, which may be sensitive
      (CASE WHEN NOT is_job AND NOT is_long THEN result END)::text AS result, NOT is_job AND is_long AS "isLong",
      CASE WHEN is_job THEN result ->> 'status' END AS end,
      CASE WHEN is_job THEN result ->> 'errorCode' END AS end_code,
      CASE WHEN is_job THEN result ->> 'error' END AS end_error
    FROM duework.job_steps,
      LATERAL (SELECT coalesce(awaits IN ('job', 'child'), false) AS is_job,
        coalesce(octet_length(result::text), 0) > ${MAX_RESULT_BYTES}::integer AS is_long) AS what
    WHERE run_id = ${id}::bigint AND asked_seq >= ${seq}::integer AND name <> '$graph'
    ORDER BY asked_seq, name
    OFFSET ${skip}::integer LIMIT ${limit}::integer
  `,
  );
  return rows.map((row) => ({ ...row, result: parseExactly(row.result ?? 'null') as StepRow['result'] }));
}
