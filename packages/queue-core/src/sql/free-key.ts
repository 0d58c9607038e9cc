import { queryRows, sql, type Queryable } from './sql.js';

/**
 * Frees the key of a dead or cancelled run, which also acknowledges the run. The run's row keeps the key's text,
 * because its effects are found by it. Returns whether the run still had the key; null: the run is neither dead nor
 * cancelled.
 */
export async function freeKey(db: Queryable, id: string): Promise<boolean | null> {
  const [row] = await queryRows<{ is_freed: boolean }>(
    db,
    sql`
    WITH run AS (
      -- a retry at the same time waits for this update, or this update waits for the retry and then finds no row
      UPDATE duework.job_history SET acknowledged_at = coalesce(acknowledged_at, now())
      WHERE id = ${id}::bigint AND status IN ('dead', 'cancelled')
      RETURNING job_type, idempotency_key
    ),
    freed AS (
      DELETE FROM duework.job_keys AS k
      USING run AS r
      WHERE k.job_type = r.job_type AND k.key = r.idempotency_key AND k.run_id = ${id}::bigint
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM freed) AS is_freed FROM run
  `,
  );
  return row?.is_freed ?? null;
}
