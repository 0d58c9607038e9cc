import type { Retention } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** Notes what is kept for how long, for those who ask how large it becomes. Writes nothing where it is known. */
export async function noteRetention(db: Queryable, { keepDays, keepDeadDays, diskGb }: Retention): Promise<void> {
  await queryRows(
    db,
    sql`
    INSERT INTO duework.retention AS r (keep_days, dead_days, disk_bytes)
    VALUES (${keepDays}::integer, ${keepDeadDays}::integer, ${diskGb ?? null}::bigint * 1073741824)
    ON CONFLICT (is_only) DO UPDATE
    SET keep_days = excluded.keep_days, dead_days = excluded.dead_days, disk_bytes = excluded.disk_bytes
    WHERE (r.keep_days, r.dead_days, r.disk_bytes) IS DISTINCT FROM (excluded.keep_days, excluded.dead_days, excluded.disk_bytes)
    RETURNING 1`,
  );
}
