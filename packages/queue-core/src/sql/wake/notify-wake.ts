import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Sends a wake-up. A queue wakes everybody who listens, because there may be work in it; nothing does, because there may
 * be work in any queue, or a due schedule; `take-queues-to-wake.ts` has the others.
 */
export async function notifyWake(db: Queryable, hint = ''): Promise<void> {
  await queryRows(db, sql`SELECT duework.notify('duework_wake', ${hint}::text)::text AS told`);
}
