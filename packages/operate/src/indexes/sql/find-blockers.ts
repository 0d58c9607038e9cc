import { queryRows, sql, type Queryable } from '@duework/sql';

/** A transaction that a concurrent rebuild of an index of the table would wait for. */
export interface Blocker {
  /** Of the transaction, and not of its session: the next one has another. */
  readonly transaction: string;
  readonly who: string;
}

/**
 * Who has a snapshot in this database, or a lock on the table: REINDEX CONCURRENTLY waits for the end of each. One that only
 * vacuums makes way. Any role sees this much of all sessions; when they began only some.
 */
export function findBlockers(session: Queryable, table: string): Promise<Blocker[]> {
  return queryRows(
    session,
    sql`
    WITH held AS MATERIALIZED (
      SELECT l.pid, l.virtualtransaction FROM pg_locks l
      WHERE l.relation = (SELECT c.oid FROM pg_class c WHERE c.relnamespace = 'duework'::regnamespace AND c.relname = ${table}::text)
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
    )
    SELECT l.virtualtransaction AS transaction, format('session %s%s%s', a.pid, ' of ' || nullif(a.application_name, ''),
      ' (' || a.state || ')') AS who
    FROM pg_locks l
    JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'virtualxid' AND l.virtualxid = l.virtualtransaction AND l.granted
      AND a.datname = current_database() AND a.pid <> pg_backend_pid()
      AND (a.backend_xmin IS NOT NULL OR EXISTS (SELECT FROM held h WHERE h.pid = a.pid))
      AND NOT EXISTS (SELECT FROM pg_stat_progress_vacuum v WHERE v.pid = a.pid)
    UNION ALL
    SELECT p.gid, format('prepared transaction %s', p.gid)
    FROM pg_prepared_xacts p
    WHERE EXISTS (SELECT FROM held h WHERE h.virtualtransaction = '-1/' || p.transaction::text)
  `,
  );
}
