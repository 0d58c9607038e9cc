import type { PgClient } from '../../statement/queryable.js';
import type { AdaptedClient } from './adapted-client.js';
import { isPool, wrapPgClient, wrapPgTransaction } from './wrap-pg-client.js';

/**
 * A client of `pg` on which you have sent BEGIN: what is enqueued through it after its COMMIT or ROLLBACK is refused
 * (`not_in_transaction`). Clients and pools are taken without an adapter, too, and then
 * nothing is claimed of a transaction. A pool commits each statement by itself.
 */
export function fromPg(client: PgClient): AdaptedClient {
  return isPool(client) ? wrapPgClient(client) : wrapPgTransaction(client);
}
