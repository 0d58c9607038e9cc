import { queryRows, sql, type Queryable } from '@duework/sql';

/** Tells all listeners that somebody has come or gone. */
export async function tellListeners(db: Queryable): Promise<void> {
  await queryRows(db, sql`SELECT duework.notify('duework_listeners', '')::text AS told`);
}
