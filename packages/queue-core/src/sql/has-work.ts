import { queryRows, sql, type Queryable } from './sql.js';

/**
 * Whether a worker of these queues and types has something to do now: due runs, runs that it holds itself, and runs
 * whose lease has expired. Runs of other workers and runs due later don't count.
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
