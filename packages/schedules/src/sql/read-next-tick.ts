import type { JobContract } from '@duework/contracts';
import { type Queryable } from '@duework/queue-core';
import { isReadable, readableVersions } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';

/** How late a schedule must be before a process that cannot read its payload decides about it. */
export const UNREADABLE_GRACE_MS = 300_000;

/** Milliseconds until something is due; negative: it has been due for so long; null: nothing will be. */
export interface NextTick {
  readonly dueInMs: number | null;
  /** When the pause of a schedule ends. */
  readonly resumeInMs: number | null;
}

/** When a tick is due, and the end of a pause. One query through two indexes. */
export async function readNextTick(db: Queryable, contracts: ReadonlyMap<string, JobContract>): Promise<NextTick> {
  const [row] = await queryRows<{ due_in_ms: number | null; resume_in_ms: number | null }>(
    db,
    sql`
    SELECT (
        SELECT ceil(extract(epoch FROM tick_at - clock_timestamp()) * 1000)::float8
        FROM duework.schedules AS j
        WHERE NOT is_paused AND tick_at IS NOT NULL
          AND (${isReadable(readableVersions(contracts))} OR tick_at <= now() - ${UNREADABLE_GRACE_MS}::float8 * interval '1 millisecond')
        ORDER BY tick_at, id
        LIMIT 1
      ) AS due_in_ms,
      (
        SELECT ceil(extract(epoch FROM paused_until - clock_timestamp()) * 1000)::float8
        FROM duework.schedules
        WHERE is_paused AND paused_until IS NOT NULL
        ORDER BY paused_until, id
        LIMIT 1
      ) AS resume_in_ms
  `,
  );
  return { dueInMs: row!.due_in_ms, resumeInMs: row!.resume_in_ms };
}
