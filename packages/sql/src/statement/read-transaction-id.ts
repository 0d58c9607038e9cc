import { recogniseClient } from '../clients/recognise-client.js';
import { sql, toStatement, type Queryable } from './sql.js';

/** The id of the transaction in which this very statement runs; outside of one, each statement has an id of its own. */
export async function readTransactionId(db: Queryable): Promise<string> {
  const statement = toStatement(sql`SELECT pg_current_xact_id()::text AS id`);
  const [row] = await recogniseClient(db).$queryRaw<{ id: string }[]>(statement);
  return row!.id;
}
