import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** The run of which a run is a child: who waits for one first writes that into its terms, and a parent is the first. */
export async function findParent(db: Queryable, id: string): Promise<string | null> {
  const rows = await queryRows<{ parent: string }>(
    db,
    sql`
    SELECT s.run_id::text AS parent
    FROM duework.find_job(${id}::bigint) AS j
    JOIN duework.job_steps AS s
      ON s.run_id = (j.terms ->> 'awaited')::bigint AND s.awaits = 'child' AND s.awaited = j.id::text
    LIMIT 1
  `,
  );
  return rows[0]?.parent ?? null;
}
