import type { Retention } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** What one look at the days of the history has done: it has dropped days, or else moved what has to stay out of them. */
export interface PrunedDays {
  /** Partitions; 0, and `upTo` is null: none is left that is old enough. */
  readonly dropped: number;
  /** The last run that was looked at: go on behind it. null: all that stays has been moved. */
  readonly upTo: string | null;
}

/**
 * Drops daily partitions of the history that are old enough, at most ten of one table. Attempts are kept as long as the
 * runs that are kept longest. It reads no rows but those of jobs that stay because of their parent or their batch, or whose
 * contract has a time of its own: they leave their day before, about `batch` of them in one statement, which then drops
 * nothing.
 */
export async function pruneHistory(
  db: Queryable,
  { keepDays, keepDeadDays }: Retention,
  after: string | null,
  batch: number,
): Promise<PrunedDays> {
  const attemptDays = Math.max(keepDays, keepDeadDays);
  const [row] = await queryRows<PrunedDays>(
    db,
    sql`
    SELECT CASE WHEN l.up_to IS NULL THEN duework.prune(${keepDays}::integer, ${attemptDays}::integer) ELSE 0 END AS dropped,
      l.up_to::text AS "upTo"
    FROM duework.leave_days(${keepDays}::integer, ${keepDeadDays}::integer, ${after ?? '0'}::text::bigint, ${batch}::integer) AS l (up_to)
  `,
  );
  return row!;
}
