import { keepPastWorkers } from '../workers/keep-past-workers.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** Removes what a worker could run: it claims nothing any more. It was seen until now. */
export async function withdrawContracts(db: Queryable, worker: string): Promise<void> {
  await queryRows(
    db,
    sql`
    WITH removed AS (DELETE FROM duework.worker_contracts WHERE worker = ${worker}::text RETURNING *),
    gone AS (
      SELECT worker, started_at, now() AS seen_at, queues, contracts, host, pid, code_version FROM removed
    )
    ${keepPastWorkers}
  `,
  );
}
