import { queryRows, sql, type Queryable } from '@duework/sql';

/** Whether a run has kept a step of that name, or waits in one. */
export async function hasStep(db: Queryable, id: string, name: string): Promise<boolean> {
  const [row] = await queryRows<{ has: boolean }>(
    db,
    sql`SELECT EXISTS (
      SELECT FROM duework.job_steps WHERE run_id = ${id}::bigint AND name = ${name}::text
    ) AS has`,
  );
  return row!.has;
}
