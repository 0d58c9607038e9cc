import { queryRows, sql, type Queryable } from '@duework/sql';
import { workerLock } from '../leases/worker-lock.js';

/**
 * Registers a worker on the session that shows that it lives: the session holds the worker's lock until it ends, and
 * the row says whose lock to look for. The lock is taken first, so that no row is ever seen without its lock.
 *
 * The lock is shared, because an older session of the same worker may still hold it. A session that forgets the worker
 * holds it exclusively for a moment; this statement waits for that, and writes the row anew.
 *
 * An undeclared pooler reports a `backendPid` that is not the real backend's. Its sessions are not the worker's own and
 * show nothing about the worker, so nothing is written.
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
