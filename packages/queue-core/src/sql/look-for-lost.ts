import { queryRows, sql, type Queryable } from './sql.js';

export interface LostLook {
  /** Whether the lease of any run has expired. */
  readonly hasExpired: boolean;
  /** Registered workers whose lock nobody holds at this moment. */
  readonly missing: readonly string[];
}

/** `nowSeconds` is the statement's now; `tookMs` how long it ran in the server. */
export interface TimedLook extends LostLook {
  readonly nowSeconds: number;
  readonly tookMs: number;
}

/**
 * Whether there is anything to rescue; every worker asks every 2 s, so it writes nothing and costs next to nothing. The
 * snapshot is older than the look at the locks, and a worker has its lock before its row: a row without a lock is one whose
 * worker has lost it.
 *
 * Leases that ended before `sinceSeconds`, on the database's clock, are left out.
 */
export async function lookForLost(db: Queryable, sinceSeconds = -Infinity): Promise<TimedLook> {
  const [look] = await queryRows<{ has_expired: boolean; missing: string[]; now_seconds: number; took_ms: number }>(db, sql`
    SELECT
      EXISTS (
        SELECT FROM duework.job_runs
        WHERE status = 'running' AND locked_until < now() AND locked_until > to_timestamp(${String(sinceSeconds)}::text::float8)
      ) AS has_expired,
      date_part('epoch', now()) AS now_seconds,
      ARRAY(
        SELECT w.name
        FROM duework.workers AS w
        WHERE hashtext(w.name)::oid <> ALL(ARRAY(
          SELECT l.objid
          FROM pg_locks AS l
          WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.classid = hashtext('duework.workers')::oid
            AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
            -- whoever forgets a worker, or rescues from it, holds its lock alone
            AND l.mode = 'ShareLock'
        ))
        ORDER BY w.name
      ) AS missing,
      date_part('epoch', clock_timestamp() - statement_timestamp()) * 1000 AS took_ms
  `);
  return { hasExpired: look!.has_expired, missing: look!.missing, nowSeconds: look!.now_seconds, tookMs: look!.took_ms };
}
