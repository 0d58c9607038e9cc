import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** An action whose step has failed waits, so that the others are not kept from theirs. */
export async function postponeBulkAction(db: Queryable, id: string): Promise<void> {
  await queryRows(
    db,
    sql`UPDATE duework.bulk_actions SET next_step_at = now() + interval '5 seconds' WHERE id = ${id}::bigint RETURNING id::text AS id`,
  );
}
