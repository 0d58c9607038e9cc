import { queryRows, sql, type Queryable } from './sql.js';
import { workerLock } from './worker-lock.js';

/**
 * Says that a worker is there, on the session that shows it: the session holds the lock for as long as it lives, and the row
 * says whose lock to look for. The lock comes first, so that no row is ever seen without it.
 *
 * The lock is shared, because an older session of the same worker may hold it still. Whoever forgets the worker holds it alone
 * for a moment; this waits, and writes the row anew.
 *
 * A pooler that says nothing about itself gives away the number of no real backend. What it gives is not the worker's own
 * session, and tells nothing about the worker.
 */
export async function registerWorker(db: Queryable, name: string, backendPid: number): Promise<void> {
  await queryRows(
    db,
    sql`
    WITH given AS (
      SELECT ${name}::text AS name, ${backendPid}::integer AS backend_pid
    ),
    held AS MATERIALIZED (
      SELECT name, pg_advisory_lock_shared(${workerLock(sql`name`)}) FROM given WHERE backend_pid = pg_backend_pid()
    )
    INSERT INTO duework.workers (name)
    SELECT name FROM held
    ON CONFLICT (name) DO NOTHING
  `,
  );
}
