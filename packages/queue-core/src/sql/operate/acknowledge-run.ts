import type { Act } from '../../ports/act.js';
import { insertAudit } from './insert-audit.js';
import { lookAt, ordersOf } from '../flow/look-at.js';
import { isoText, queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Writes that somebody has looked at a dead run; the first time stays, and is the one in the audit. false: the run is
 * not dead.
 */
export async function acknowledgeRun(db: Queryable, id: string, act: Act = {}): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    WITH target AS MATERIALIZED (
      SELECT id, acknowledged_at FROM duework.job_history WHERE id = ${id}::bigint AND status = 'dead' FOR UPDATE
    ),
    acknowledged AS (
      UPDATE duework.job_history SET acknowledged_at = now()
      WHERE id = (SELECT id FROM target WHERE acknowledged_at IS NULL) AND status = 'dead'
      RETURNING acknowledged_at, gates
    ),
    -- it keeps no order shut any more
    ${lookAt(ordersOf(sql`acknowledged`))},
    audited AS (
      ${insertAudit(act, {
        verb: 'acknowledge',
        kind: 'job',
        target: sql`${id}::text`,
        before: sql`jsonb_build_object('status', 'dead', 'acknowledgedAt', NULL)`,
        after: sql`jsonb_build_object('status', 'dead', 'acknowledgedAt', ${isoText(sql`a.acknowledged_at`)})`,
        from: sql`acknowledged AS a`,
      })}
    )
    SELECT id::text AS id FROM target
  `,
  );
  return rows.length === 1;
}
