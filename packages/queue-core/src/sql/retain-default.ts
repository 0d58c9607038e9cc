import type { Retention } from '../ports/upkeep.js';
import { queryRows, sql, type Queryable } from './sql.js';

/** Deletes what is old enough of the history that found no partition, at most `batch` rows of a table; returns how many. */
export async function retainDefault(
  db: Queryable,
  { keepDays, keepDeadDays }: Retention,
  batch: number,
): Promise<number> {
  const attemptDays = Math.max(keepDays, keepDeadDays);
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`SELECT duework.retain_default(${keepDays}::integer, ${attemptDays}::integer, ${batch}::integer) AS gone`,
  );
  return row!.gone;
}
