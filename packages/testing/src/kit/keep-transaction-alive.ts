import type { Middleware, Queryable } from '@duework/queue-core';
import { releaseSavepoint, rollBackToSavepoint, setSavepoint } from './sql/savepoints.js';

/**
 * A statement that fails in a handler fails the whole transaction, and the attempt could not be settled. So each attempt
 * begins at a savepoint, to which the transaction returns then. Where no statement has failed, everything stays that the
 * handler has written, also when it throws.
 */
export function keepTransactionAlive(db: Queryable): Middleware {
  return async (_, next) => {
    await setSavepoint(db);
    try {
      return await next({});
    } finally {
      // a failed transaction takes no statement but a roll-back
      await releaseSavepoint(db).catch(() => rollBackToSavepoint(db));
    }
  };
}
