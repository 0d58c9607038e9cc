import type { Act } from '../../ports/act.js';
import { copiedColumns, havePassed, insertHistory, passGates } from '../fragments.js';
import { insertAudit } from './insert-audit.js';
import { isoText, empty, queryRows, sql, type Queryable, type Sql } from '@duework/sql';

/**
 * Cancels a waiting run at once, or asks the worker of a running one to cancel it. No row: the run is not live. The audit
 * keeps what operators do; a tick that cancels for a schedule is none, and `isAudited` is false.
 */
export function cancelRun(
  db: Queryable,
  id: string,
  act: Act,
  isAudited = true,
): Promise<{ status: 'cancelled' | 'running' }[]> {
  const { by = null, reason = null } = act;
  return queryRows(
    db,
    sql`
    WITH target AS MATERIALIZED (
      SELECT id, status, run_at, attempts FROM duework.job_runs WHERE id = ${id}::bigint FOR UPDATE
    ),
    asked AS (
      UPDATE duework.job_runs AS j
      -- CASE: when the run was claimed while this statement waited, the CHECKs are also tested on its version of before,
      -- which was not running
      SET cancel_requested_at = CASE WHEN j.status = 'running' THEN coalesce(j.cancel_requested_at, now()) END,
          cancel_requested_by = coalesce(j.cancel_requested_by, ${by}::text),
          cancel_reason = coalesce(j.cancel_reason, ${reason}::text)
      WHERE j.id = (SELECT id FROM target WHERE status = 'running')
      RETURNING j.status
    ),
    r AS (
      DELETE FROM duework.job_runs AS j
      WHERE j.id = (SELECT id FROM target WHERE status <> 'running')
      RETURNING j.*
    ),
    recorded AS (
      ${insertHistory}
      SELECT ${copiedColumns}, 'cancelled', r.failed_at, r.error_code, r.error_type, r.last_error,
        now(), ${by}::text, ${reason}::text, NULL::jsonb
      FROM r
    )
    ${isAudited ? auditCancel(id, act) : empty},
    ${passGates(null, sql`r`)}
    -- the worker is notified at the commit; one that does not listen sees the request at its next heartbeat
    SELECT status, duework.notify('duework_cancel', ${id}::text)::text AS told FROM asked
    UNION ALL
    SELECT 'cancelled', NULL FROM r WHERE ${havePassed}
  `,
  );
}

const auditCancel = (id: string, act: Act): Sql => sql`,
    audited AS (
      ${insertAudit(act, {
        verb: 'cancel',
        kind: 'job',
        target: sql`${id}::text`,
        before: sql`jsonb_build_object('status', t.status, 'runAt', ${isoText(sql`t.run_at`)}, 'attempts', t.attempts)`,
        after: sql`CASE
          WHEN t.status = 'running' THEN jsonb_build_object('status', 'running', 'cancelRequestedAt', ${isoText(sql`now()`)})
          ELSE jsonb_build_object('status', 'cancelled')
        END`,
        from: sql`target AS t`,
      })}
    )`;
