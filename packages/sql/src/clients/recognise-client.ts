import { isPgClient, wrapPgClient } from './adapters/wrap-pg-client.js';
import { DueworkError } from '../errors/errors.js';
import { nameClient } from './name-client.js';
import type { Queryable, RawClient } from '../statement/queryable.js';

/**
 * What a caller passed, as what statements are sent through: itself, or a wrapper around a client or a pool of `pg`.
 * Throws `unknown_client` for anything else, with the adapter that it needs where that is known.
 */
export function recogniseClient(db: Queryable): RawClient {
  if (typeof (db as RawClient | null | undefined)?.$queryRaw === 'function') return db as RawClient;
  if (isPgClient(db)) return wrapPgClient(db);
  throw new DueworkError('unknown_client', { given: nameClient(db) });
}
