import type { PgClient } from '../../statement/queryable.js';
import type { AdaptedClient } from './adapted-client.js';
import { isPool, wrapPgClient, wrapPgTransaction } from './wrap-pg-client.js';

/**
 * A client of `pg` on which you have sent BEGIN: after its COMMIT or ROLLBACK an enqueue through it is refused
 * (`not_in_transaction`). Clients and pools work without an adapter, but then no transaction is claimed. A pool commits
 * each statement alone.
 */
export function fromPg(client: PgClient): AdaptedClient {
  return isPool(client) ? wrapPgClient(client) : wrapPgTransaction(client);
}
