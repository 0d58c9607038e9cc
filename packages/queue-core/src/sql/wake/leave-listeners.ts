import { queryRows, sql, type Queryable } from '@duework/sql';

/** Counts this session among no listeners any more, and tells the others, who hear of it when the locks are gone. */
export async function leaveListeners(db: Queryable): Promise<void> {
  await queryRows(db, sql`SELECT pg_advisory_unlock_all()::text, duework.notify('duework_listeners', '')::text`);
}
