import { queryRows, sql, type Queryable } from '@duework/sql';

/** Whether the history has the run as succeeded by that very claim. */
export async function isCompleted(db: Queryable, id: string, fence: number): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    SELECT 1 AS found FROM duework.job_history
    WHERE id = ${id}::bigint AND fence = ${fence}::bigint AND status = 'succeeded'
  `,
  );
  return rows.length > 0;
}
