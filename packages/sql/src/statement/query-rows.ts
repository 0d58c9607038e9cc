import { expectedTransaction } from '../clients/join-transaction.js';
import { recogniseClient } from '../clients/recognise-client.js';
import { checkTexts, explainText } from './check-texts.js';
import { explainRefusal } from './explain-refusal.js';
import type { Queryable } from './queryable.js';
import { type Sql, toStatement } from './sql.js';

/**
 * A value of a statement that writes: the transaction that its client claims to be, as `expectedTransaction` tells it, for
 * `duework.require_transaction`.
 */
export const ownTransaction: unique symbol = Symbol('own transaction');

/**
 * The rows of a statement, with the type that its SELECT list promises. Throws `unknown_client`, `not_migrated` where the
 * database is older than this program, and `not_in_transaction` where a statement with `ownTransaction` has left it, or
 * comes when it has ended; it has written nothing then; `permission_denied` where its role may not send it. Throws `text_not_storable` for a value that PostgreSQL has no text
 * for, whoever has forgotten to check it.
 */
export async function queryRows<TRow>(db: Queryable, statement: Sql): Promise<TRow[]> {
  const client = recogniseClient(db);
  let { values } = statement;
  if (values.includes(ownTransaction)) {
    const expected = expectedTransaction(client);
    // without a pause where there is nothing to wait for: it is sent before the caller can send a COMMIT
    const own = expected instanceof Promise ? await expected : expected;
    values = values.map((value) => (value === ownTransaction ? own : value));
  }
  checkTexts(values);
  const sent = toStatement({ shape: statement.shape, values });
  try {
    return await client.$queryRaw<TRow[]>(sent);
  } catch (error) {
    explainText(error, values);
    throw await explainRefusal(client, sent, error);
  }
}
