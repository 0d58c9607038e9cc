import { readSqlstate } from '../errors/read-sqlstate.js';
import { DueworkError } from '../errors/errors.js';

/**
 * Throws `not_migrated` where a function, a table or the schema that a statement names is not there; any other error
 * unchanged.
 */
export function explainMissing(error: unknown): never {
  const state = readSqlstate(error);
  // the server says the rest in its own language
  const missing = /\b(duework\.\w+)/.exec(String((error as { message?: unknown }).message))?.[1];
  if (state === '3F000' || ((state === '42883' || state === '42P01') && missing !== undefined))
    throw new DueworkError('not_migrated', { missing: missing ?? 'the schema duework' }, { cause: error });
  throw error;
}
