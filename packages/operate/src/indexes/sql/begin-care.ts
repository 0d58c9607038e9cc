import { queryRows, sql, type Queryable } from '@duework/sql';

export interface CareTimes {
  /** How long a rebuild waits for a lock, or for one transaction to end. */
  readonly lockTimeoutMs: number;
  /** How long it may take. */
  readonly indexTimeoutMs: number;
}

/**
 * Takes the lock that one session of a database has, until it ends, and sets what its statements may take; returns the number
 * of the session, or null where another one has the lock. It never waits for it: the snapshot of a statement that waits would
 * keep the rebuild of the other one from its end.
 */
export async function beginCare(
  session: Queryable,
  { lockTimeoutMs, indexTimeoutMs }: CareTimes,
): Promise<number | null> {
  const [row] = await queryRows<{ isMine: boolean; pid: number }>(
    session,
    sql`
    SELECT pg_try_advisory_lock(hashtextextended('duework.indexes', 0)) AS "isMine", pg_backend_pid() AS pid,
      set_config('lock_timeout', ${String(lockTimeoutMs)}::text, false) AS locks,
      set_config('statement_timeout', ${String(indexTimeoutMs)}::text, false) AS statements
  `,
  );
  return row!.isMine ? row!.pid : null;
}
