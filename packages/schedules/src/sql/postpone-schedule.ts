import { type Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** Lets a tick try a schedule again after `delayMs`: it cannot be written now, and the others must not wait for it. */
export async function postponeSchedule(db: Queryable, id: string, delayMs: number): Promise<void> {
  await queryRows(
    db,
    sql`
    UPDATE duework.schedules SET tick_at = now() + ${delayMs}::float8 * interval '1 millisecond' WHERE id = ${id}::bigint RETURNING id
  `,
  );
}
