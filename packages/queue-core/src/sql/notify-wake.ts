import { queryRows, sql, type Queryable } from './sql.js';

/**
 * Wakes everybody who listens on `duework_wake`: there may be work in that queue; without one, in any queue, or a due
 * schedule.
 */
export async function notifyWake(db: Queryable, queue = ''): Promise<void> {
  await queryRows(db, sql`SELECT pg_notify('duework_wake', ${queue})::text AS told`);
}
