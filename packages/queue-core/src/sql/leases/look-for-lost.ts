import type { LostLook } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';
import { isLeaseOver } from './ended-leases.js';

/** `tookMs`: how long the statement ran in the server. `workers`: how many are registered, lost ones included. */
export interface TimedLook extends LostLook {
  readonly workers: number;
  readonly tookMs: number;
  /** The turn in which all that is due was read; null: it was not. */
  readonly turn: number | null;
}

export interface LookScope {
  /** false: only the workers' sessions are checked, which costs next to nothing. */
  readonly isFull?: boolean;
  /** Who looks. */
  readonly worker?: string;
  /** The last turn in which that worker has read all that is due; it does so once in each of its turns. */
  readonly lastTurn?: number | null;
  /** Reads all that is due although it is not its turn. */
  readonly isAll?: boolean;
  readonly turnSeconds?: number;
}

/** The workers take turns of this length in reading all that is due: one of them does so in each. */
const TURN_SECONDS = 30;

/**
 * Whether there is anything to rescue; every worker asks every 2 s, so this writes nothing. The view `lost_workers` says
 * how a worker is known to be lost. Leases are looked for by `isLeaseOver`, and by one worker at a time among all runs
 * that are due, for what those leave out. Whose turn it is follows from the names that are registered: nobody has to
 * agree on it, and a worker that stands still only misses its turn.
 */
export async function lookForLost(
  db: Queryable,
  { isFull = true, worker = '', lastTurn = null, isAll = false, turnSeconds = TURN_SECONDS }: LookScope = {},
): Promise<TimedLook> {
  const [look] = await queryRows<{
    has_expired: boolean;
    missing: string[];
    workers: number;
    now_ms: number;
    took_ms: number;
    turn: number | null;
  }>(
    db,
    sql`
    WITH turns AS MATERIALIZED (
      SELECT floor(date_part('epoch', now()) / ${turnSeconds}::integer)::bigint AS turn, count(*)::integer AS workers,
        count(*) FILTER (WHERE name < ${worker}::text) AS before
      FROM duework.workers
    ),
    mine AS MATERIALIZED (
      SELECT turn FROM turns
      WHERE ${isFull}::boolean AND (${isAll}::boolean
        OR turn % greatest(workers, 1) = before % greatest(workers, 1) AND turn IS DISTINCT FROM ${lastTurn}::bigint)
    )
    SELECT
      ${isFull}::boolean AND CASE
        WHEN EXISTS (SELECT FROM mine) THEN EXISTS (SELECT FROM duework.running_runs WHERE locked_until < now())
        ELSE ${isLeaseOver}
      END AS has_expired,
      ARRAY(SELECT name FROM duework.lost_workers ORDER BY name) AS missing,
      (SELECT workers FROM turns) AS workers,
      (SELECT turn::float8 FROM mine) AS turn,
      extract(epoch FROM now())::float8 * 1000 AS now_ms,
      date_part('epoch', clock_timestamp() - statement_timestamp()) * 1000 AS took_ms
  `,
  );
  const { has_expired: hasExpired, missing, workers, now_ms: nowMs, took_ms: tookMs, turn } = look!;
  return { hasExpired, missing, workers, nowMs, tookMs, turn };
}
