import type { JobContract } from '@duework/contracts';
import { type Queryable } from '@duework/queue-core';
import { isReadable, queryRows, readableVersions, sql } from '@duework/queue-core/internals';

/** How late a schedule must be before a process that cannot read its payload decides about it. */
export const UNREADABLE_GRACE_MS = 300_000;

/** Milliseconds until a tick is due; negative: it has been due for so long; null: none will be. One indexed query. */
export async function readNextTick(db: Queryable, contracts: ReadonlyMap<string, JobContract>): Promise<number | null> {
  const [row] = await queryRows<{ in_ms: number }>(
    db,
    sql`
    SELECT ceil(extract(epoch FROM tick_at - clock_timestamp()) * 1000)::float8 AS in_ms
    FROM duework.schedules AS j
    WHERE NOT is_paused AND tick_at IS NOT NULL
      AND (${isReadable(readableVersions(contracts))} OR tick_at <= now() - ${UNREADABLE_GRACE_MS}::float8 * interval '1 millisecond')
    ORDER BY tick_at, id
    LIMIT 1
  `,
  );
  return row?.in_ms ?? null;
}
