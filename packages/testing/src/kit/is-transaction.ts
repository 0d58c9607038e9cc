import type { Queryable } from '@duework/queue-core';
import { readTransactionId } from '@duework/sql';

/** Whether two statements share a transaction: asked of the database, because clients tell it in ways of their own. */
export async function isTransaction(db: Queryable): Promise<boolean> {
  return (await readTransactionId(db)) === (await readTransactionId(db));
}
