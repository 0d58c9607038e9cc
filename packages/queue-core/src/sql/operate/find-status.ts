import type { JobStatus } from '../../queue/job.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** The status of a run, live or finished; null: there is none with that id. */
export async function findStatus(db: Queryable, id: string): Promise<JobStatus | null> {
  const [row] = await queryRows<{ status: JobStatus | null }>(
    db,
    sql`SELECT status FROM duework.find_run_status(${id}::bigint)`,
  );
  return row!.status;
}
