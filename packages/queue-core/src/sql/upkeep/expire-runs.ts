import type { ExpiredRun } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** Calls `duework.expire_runs`, which finds its runs by when they expire, and not by a walk over what waits. */
export async function expireRuns(
  db: Queryable,
  batch: number,
): Promise<{ readonly expired: readonly ExpiredRun[]; readonly isAll: boolean }> {
  const [row] = await queryRows<{ ids: string | null; types: string | null; looked: number }>(
    db,
    sql`SELECT to_json(ids::text[])::text AS ids, to_json(types)::text AS types, looked FROM duework.expire_runs(${batch}::integer)`,
  );
  const { ids, types, looked } = row!;
  const names = JSON.parse(types ?? '[]') as string[];
  const expired = (JSON.parse(ids ?? '[]') as string[]).map((id, index) => ({ id, type: names[index]! }));
  return { expired, isAll: looked < batch };
}
