import type { Act } from '@duework/queue-core';
import { copiedColumns, insertHistory, havePassed, passGates } from '@duework/queue-core/internals';
import { sql, type Sql } from '@duework/sql';

/** CTEs that cancel waiting runs, and ask the workers of running ones to cancel them. */
export function cancelPicked(actionId: string, { by = null, reason = null }: Act): Sql {
  return sql`locked AS MATERIALIZED (
      SELECT j.id, j.status, j.run_at FROM duework.job_runs AS j
      WHERE j.id = ANY(ARRAY(SELECT id FROM picked)) ORDER BY j.id FOR UPDATE
    ),
    asked AS (
      UPDATE duework.job_runs AS j
      -- CASE: the CHECKs are also tested on the version of a run before it was claimed
      SET cancel_requested_at = CASE WHEN j.status = 'running' THEN coalesce(j.cancel_requested_at, now()) END,
          cancel_requested_by = coalesce(j.cancel_requested_by, ${by}::text),
          cancel_reason = coalesce(j.cancel_reason, ${reason}::text)
      WHERE j.id = ANY(ARRAY(SELECT id FROM locked WHERE status = 'running'))
      RETURNING j.id, duework.notify('duework_cancel', j.id::text)::text AS told
    ),
    r AS (
      DELETE FROM duework.job_runs AS j
      WHERE j.id = ANY(ARRAY(SELECT id FROM locked WHERE status <> 'running'))
      RETURNING j.*
    ),
    recorded AS (
      ${insertHistory}
      SELECT ${copiedColumns}, 'cancelled', r.failed_at, r.error_code, r.error_type, r.last_error,
        now(), ${by}::text, ${reason}::text, NULL::jsonb
      FROM r
    ),
    undos AS (
      INSERT INTO duework.bulk_undos (bulk_action_id, run_id, fence, was, as_left)
      SELECT ${actionId}::bigint, r.id, r.fence, jsonb_build_object('status', r.status), jsonb_build_object('finishedAt', now()) FROM r
    ),
    ${passGates(null, sql`r`)},
    acted AS (SELECT id, NULL::text AS queue FROM asked UNION ALL SELECT id, NULL FROM r WHERE ${havePassed})`;
}
