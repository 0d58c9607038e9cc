import { keepPastWorkers } from './keep-past-workers.js';
import { queryRows, sql, type Queryable } from '@duework/sql';
import { workerLock } from '../leases/worker-lock.js';

/**
 * Removes workers from the register where nobody holds their lock and no run of theirs is left to rescue, and returns
 * their names. A run that somebody had locked meanwhile keeps its worker registered, so that the next rescue finds it.
 *
 * This statement holds the worker's lock exclusively: a worker that comes back at this moment waits, and then registers
 * anew.
 */
export async function forgetWorkers(db: Queryable, names: readonly string[]): Promise<string[]> {
  const forgotten = await queryRows<{ name: string }>(
    db,
    sql`
    WITH free AS MATERIALIZED (
      SELECT name FROM unnest(${names}::text[]) AS n (name)
      WHERE pg_try_advisory_xact_lock(${workerLock(sql`name`)})
    ),
    forgotten AS (
      DELETE FROM duework.workers AS w
      WHERE w.name = ANY(ARRAY(SELECT name FROM free))
        AND NOT EXISTS (SELECT FROM duework.running_runs AS r WHERE r.locked_by = w.name)
      RETURNING w.name
    ),
    gone AS (
      DELETE FROM duework.worker_contracts
      WHERE worker = ANY(ARRAY(SELECT name FROM forgotten))
      RETURNING *
    ),
    kept AS (${keepPastWorkers})
    SELECT name FROM forgotten
  `,
  );
  return forgotten.map(({ name }) => name);
}
