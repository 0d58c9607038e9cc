import { queryRows, sql, type Queryable } from '@duework/sql';

/** Cancels the statement that a session runs, if it runs one. */
export async function cancelSession(db: Queryable, pid: number): Promise<void> {
  await queryRows(db, sql`SELECT pg_cancel_backend(${pid}::integer)`);
}
