import { queryRows, sql, type Queryable } from './sql.js';

/**
 * Whether something is left to do now for a worker of these queues and types: runs that are due, runs that it holds itself,
 * and runs whose lease has expired. What others run is theirs, and what is due later is for a later wake-up.
 */
export async function hasWork(
  db: Queryable,
  { worker, queues, types }: { worker: string; queues: readonly string[]; types: readonly string[] },
): Promise<boolean> {
  const [row] = await queryRows<{ has_work: boolean }>(
    db,
    sql`
    SELECT EXISTS (
      SELECT FROM duework.job_runs
      WHERE queue = ANY(${queues}::text[]) AND status IN ('queued', 'failed') AND run_at <= now() AND job_type = ANY(${types}::text[])
    ) OR EXISTS (
      SELECT FROM duework.running_runs
      WHERE (locked_by = ${worker}::text OR locked_until < now()) AND job_type = ANY(${types}::text[])
    ) AS has_work
  `,
  );
  return row!.has_work;
}
