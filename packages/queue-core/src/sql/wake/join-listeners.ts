import { queryRows, sql, type Queryable, type Sql } from '@duework/sql';

/** The advisory lock that each listener of a group holds, as the two keys of PostgreSQL's lock functions. */
export function listenerLock(group: Sql): Sql {
  return sql`hashtext('duework.listeners'), hashtext(${group})`;
}

/**
 * Counts this session among the listeners of those groups, until it ends, and tells the others. An undeclared pooler
 * reports a `backendPid` that is not the real backend's: its sessions are not the listener's own, and take no lock.
 */
export async function joinListeners(db: Queryable, groups: readonly string[], backendPid: number): Promise<void> {
  await queryRows(
    db,
    sql`
    SELECT pg_advisory_lock_shared(${listenerLock(sql`g.name`)})::text, duework.notify('duework_listeners', '')::text
    FROM unnest(${groups}::text[]) AS g (name)
    WHERE pg_backend_pid() = ${backendPid}::integer
  `,
  );
}
