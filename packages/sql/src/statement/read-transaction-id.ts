import { queryRows, sql, type Queryable } from './sql.js';

/** The id of the transaction in which this very statement runs; outside of one, each statement has an id of its own. */
export async function readTransactionId(db: Queryable): Promise<string> {
  const [row] = await queryRows<{ id: string }>(db, sql`SELECT pg_current_xact_id()::text AS id`);
  return row!.id;
}
