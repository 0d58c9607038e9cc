import { type Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/queue-core/internals';

/**
 * Records that code declares a list of schedules of this version, and returns the newest version that was ever
 * declared. Until the transaction ends, nobody else can declare one.
 */
export async function declareScheduleList(db: Queryable, version: number): Promise<number> {
  const [row] = await queryRows<{ version: number }>(
    db,
    sql`
    INSERT INTO duework.schedule_lists AS l (version) VALUES (${version}::integer)
    ON CONFLICT (id) DO UPDATE SET version = greatest(l.version, excluded.version)
    RETURNING version
  `,
  );
  return row!.version;
}
