import { sql, type Sql } from './sql.js';

/**
 * The advisory lock of a worker, as the two keys of PostgreSQL's lock functions. Two names can come to one key: a worker
 * that is gone then looks alive, and its leases decide.
 */
export function workerLock(name: Sql): Sql {
  return sql`hashtext('duework.workers'), hashtext(${name})`;
}
