import type { LostLook } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** `tookMs`: how long the statement ran in the server. `workers`: how many are registered, lost ones included. */
export interface TimedLook extends LostLook {
  readonly workers: number;
  readonly tookMs: number;
}

/**
 * Whether there is anything to rescue; every worker asks every 2 s, so this writes nothing. The view `lost_workers` says
 * how a worker is known to be lost.
 *
 * `isFull`: also checks leases, which scans all that is due; to check only the workers costs next to nothing.
 */
export async function lookForLost(db: Queryable, isFull = true): Promise<TimedLook> {
  const [look] = await queryRows<{
    has_expired: boolean;
    missing: string[];
    workers: number;
    now_ms: number;
    took_ms: number;
  }>(
    db,
    sql`
    SELECT
      ${isFull}::boolean AND EXISTS (SELECT FROM duework.running_runs WHERE locked_until < now()) AS has_expired,
      ARRAY(SELECT name FROM duework.lost_workers ORDER BY name) AS missing,
      (SELECT count(*)::integer FROM duework.workers) AS workers,
      extract(epoch FROM now())::float8 * 1000 AS now_ms,
      date_part('epoch', clock_timestamp() - statement_timestamp()) * 1000 AS took_ms
  `,
  );
  const { has_expired: hasExpired, missing, workers, now_ms: nowMs, took_ms: tookMs } = look!;
  return { hasExpired, missing, workers, nowMs, tookMs };
}
