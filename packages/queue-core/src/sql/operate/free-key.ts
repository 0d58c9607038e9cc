import type { Act } from '../../ports/act.js';
import { insertAudit } from './insert-audit.js';
import { lookAt, ordersOf } from '../flow/look-at.js';
import { isoText, queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Frees the key of a dead or cancelled run, which also acknowledges the run. The run's row keeps the key's text,
 * because its effects are found by it. Returns whether the run still had the key; null: the run is neither dead nor
 * cancelled. The audit says that the key was freed, and not which it was: keys are made of payloads.
 */
export async function freeKey(db: Queryable, id: string, act: Act = {}): Promise<boolean | null> {
  const [row] = await queryRows<{ is_freed: boolean }>(
    db,
    sql`
    WITH target AS MATERIALIZED (
      SELECT id, status, acknowledged_at FROM duework.job_history
      WHERE id = ${id}::bigint AND status IN ('dead', 'cancelled')
      FOR UPDATE
    ),
    run AS (
      -- a retry at the same time waits for this update, or this update waits for the retry and then finds no row
      UPDATE duework.job_history SET acknowledged_at = coalesce(acknowledged_at, now())
      WHERE id = (SELECT id FROM target) AND status IN ('dead', 'cancelled')
      RETURNING job_type, idempotency_key, acknowledged_at, gates, payload #>> '{run,type}' AS forwarded_type
    ),
    -- it keeps no order shut any more
    ${lookAt(ordersOf(sql`run`))},
    freed AS (
      DELETE FROM duework.job_keys AS k
      USING run AS r
      -- a forward has the key of the job that it carries
      WHERE k.job_type IN (r.job_type, r.forwarded_type) AND k.key = r.idempotency_key AND k.run_id = ${id}::bigint
      RETURNING 1
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'free_key',
        kind: 'job',
        target: sql`${id}::text`,
        before: sql`jsonb_build_object('status', t.status, 'acknowledgedAt', ${isoText(sql`t.acknowledged_at`)})`,
        after: sql`jsonb_build_object(
          'status', t.status, 'acknowledgedAt', ${isoText(sql`r.acknowledged_at`)}, 'keyFreed', EXISTS (SELECT FROM freed)
        )`,
        from: sql`target AS t CROSS JOIN run AS r WHERE t.acknowledged_at IS NULL OR EXISTS (SELECT FROM freed)`,
      })}
    )
    SELECT EXISTS (SELECT FROM freed) AS is_freed FROM run
  `,
  );
  return row?.is_freed ?? null;
}
