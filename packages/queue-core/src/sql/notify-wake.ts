import { queryRows, sql, type Queryable } from './sql.js';

/** Tells whoever listens on `duework_wake` that there is something to do, in any queue or by a schedule; nobody has to. */
export async function notifyWake(db: Queryable): Promise<void> {
  await queryRows(db, sql`SELECT pg_notify('duework_wake', '')::text AS told`);
}
