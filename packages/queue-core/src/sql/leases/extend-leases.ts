import type { ExtendedLease, LeaseToExtend } from '../../ports/runs.js';
import { inputOf } from '../fragments.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Renews leases, only while the worker still owns them: each names its id and its fence. Those that are not due yet by
 * the worker's clock are renewed too where the database's clock has gone ahead and leaves little of them. A row that somebody else has
 * locked (it is being settled, or completed inside a long transaction) is not waited for, because the other leases
 * would wait with it: it is returned as owned but not extended, and the next heartbeat sees what became of it.
 */
export function extendLeases(db: Queryable, batch: readonly LeaseToExtend[]): Promise<ExtendedLease[]> {
  return queryRows(
    db,
    sql`
    WITH ${inputOf(batch, sql`, "leaseMs" float8, renew text`)},
    held AS MATERIALIZED (
      SELECT r.id, r.cancel_requested_at, r.cancel_requested_by, r.cancel_reason,
        i.renew = 'now' OR i.renew = 'when_short' AND r.locked_until < now() + i."leaseMs" / 3 * interval '1 millisecond' AS is_due
      FROM duework.job_runs AS r
      JOIN input AS i ON i.id = r.id AND i.fence = r.fence
      WHERE r.id = ANY(ARRAY(SELECT id FROM input)) AND r.locked_by IS NOT NULL
    ),
    due AS MATERIALIZED (
      SELECT r.id
      FROM duework.job_runs AS r
      WHERE r.id = ANY(ARRAY(SELECT id FROM held WHERE is_due))
        AND r.locked_by IS NOT NULL AND ((r.id, r.fence) IN (SELECT id, fence FROM input)) IS TRUE
      FOR NO KEY UPDATE SKIP LOCKED
    ),
    extended AS (
      UPDATE duework.job_runs AS r
      SET locked_until = now() + i."leaseMs" * interval '1 millisecond'
      FROM input AS i
      WHERE r.id = ANY(ARRAY(SELECT id FROM due))
        AND i.id = r.id AND i.fence = r.fence AND r.locked_by IS NOT NULL
      RETURNING r.id
    )
    SELECT h.id::text AS id, e.id IS NOT NULL AS "isExtended", h.cancel_requested_at IS NOT NULL AS "isCancelRequested",
      h.cancel_requested_by AS "cancelRequestedBy", h.cancel_reason AS "cancelReason"
    FROM held AS h
    LEFT JOIN extended AS e ON e.id = h.id
  `,
  );
}
