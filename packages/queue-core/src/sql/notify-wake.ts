import { queryRows, sql, type Queryable } from './sql.js';

/** Tells the workers of these queues, or all of them and their tickers (none given), that there is something to do. */
export async function notifyWake(db: Queryable, queues: readonly string[] = ['']): Promise<void> {
  await queryRows(db, sql`SELECT pg_notify('duework_wake', queue)::text AS told FROM unnest(${queues}::text[]) AS queue`);
}
