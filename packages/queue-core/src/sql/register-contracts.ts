import type { WorkerContracts } from '../ports/upkeep.js';
import { queryRows, sql, type Queryable } from './sql.js';

/**
 * Writes what a worker can run, or that it still can. Rows of workers that were seen for the last time an hour ago go: a
 * worker behind a pooler that was killed is found gone by nobody.
 */
export async function registerContracts(db: Queryable, { worker, queues, contracts }: WorkerContracts): Promise<void> {
  const versions = Object.fromEntries(
    Array.from(contracts.values(), ({ type, oldestVersion, version }) => [type, [oldestVersion, version]]),
  );
  await queryRows(
    db,
    sql`
    WITH gone AS (
      DELETE FROM duework.worker_contracts
      WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM duework.worker_contracts WHERE seen_at < now() - interval '1 hour' AND worker <> ${worker}::text
        FOR UPDATE SKIP LOCKED
      ))
    )
    INSERT INTO duework.worker_contracts (worker, queues, contracts)
    VALUES (${worker}::text, ${[...queues]}::text[], ${JSON.stringify(versions)}::text::jsonb)
    ON CONFLICT (worker) DO UPDATE SET queues = excluded.queues, contracts = excluded.contracts, seen_at = now()
  `,
  );
}
