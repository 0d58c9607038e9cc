import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** The run of which a run is a child: the first that has enqueued it to wait for it; null: none has. */
export async function findParent(db: Queryable, id: string): Promise<string | null> {
  const rows = await queryRows<{ parent: string }>(
    db,
    sql`
    SELECT s.run_id::text AS parent FROM duework.job_steps AS s
    WHERE s.awaits = 'child' AND s.run_id < s.awaited::bigint AND s.awaited::bigint = ${id}::bigint
    ORDER BY s.run_id
    LIMIT 1
  `,
  );
  return rows[0]?.parent ?? null;
}
