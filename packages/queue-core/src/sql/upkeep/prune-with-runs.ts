import type { Retention } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Deletes keys, effects, steps or notes of objects whose run is gone, or whose run's history is old enough to be deleted. Scans at most
 * `batch` rows, and returns how many it scanned.
 */
export async function pruneWithRuns(
  db: Queryable,
  table: 'job_keys' | 'job_effects' | 'job_objects' | 'job_steps',
  { keepDays, keepDeadDays }: Retention,
  batch: number,
): Promise<number> {
  const [row] = await queryRows<{ looked: number }>(
    db,
    sql`
    SELECT duework.prune_with_runs(
      ${`duework.${table}`}::text::regclass, ${keepDays}::integer, ${keepDeadDays}::integer, ${batch}::integer
    ) AS looked
  `,
  );
  return row!.looked;
}
