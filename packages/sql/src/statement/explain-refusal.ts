import { readSqlstate } from '../errors/read-sqlstate.js';
import { NONE_IS_OPEN } from '../clients/join-transaction.js';
import { DueworkError } from '../errors/errors.js';

/** `no_active_sql_transaction`, by which duework.refuse_alone and duework.require_transaction refuse. */
const LEFT = '25P01';

/**
 * Throws `not_migrated` where a function, a table or the schema that a statement names is not there, and
 * `not_in_transaction` where the statement ran outside of its caller's transaction; any other error unchanged.
 */
export function explainRefusal(error: unknown): never {
  const state = readSqlstate(error);
  if (state === LEFT) throw new DueworkError('not_in_transaction', NONE_IS_OPEN, { cause: error });
  // the server says the rest in its own language
  const missing = /\b(duework\.\w+)/.exec(String((error as { message?: unknown }).message))?.[1];
  if (state === '3F000' || ((state === '42883' || state === '42P01') && missing !== undefined))
    throw new DueworkError('not_migrated', { missing: missing ?? 'the schema duework' }, { cause: error });
  throw error;
}
