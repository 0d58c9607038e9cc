import { sql, type Sql } from '@duework/sql';

/**
 * The advisory lock of a worker, as the two keys of PostgreSQL's lock functions. Two names can have the same key: a
 * vanished worker then looks alive, and its runs are rescued when their leases expire.
 */
export function workerLock(name: Sql): Sql {
  return sql`hashtext('duework.workers'), hashtext(${name})`;
}
