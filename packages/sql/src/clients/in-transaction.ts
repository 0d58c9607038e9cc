import { DueworkError } from '../errors/errors.js';
import { isClient } from './is-transaction.js';
import { nameRole } from '../statement/explain-refusal.js';
import { recogniseClient } from './recognise-client.js';
import type { RawClient, Transactable } from '../statement/queryable.js';

export type { Transactable } from '../statement/queryable.js';

const MAX_WAIT_MS = 5_000;
const TIMEOUT_MS = 15_000;

/**
 * Calls `run` in a new transaction, of 15 s at most unless told otherwise, or in the caller's where `db` is one. Throws `transaction_needed` where none can be
 * begun: on a single session of `pg`, of which others may be sending statements, and through a client that knows no
 * transactions.
 */
export async function inTransaction<T>(
  db: Transactable,
  run: (tx: RawClient) => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const client = recogniseClient(db) as RawClient & Transactable;
  if (isClient(client) && typeof client.$transaction === 'function')
    try {
      return await client.$transaction(run, { maxWait: MAX_WAIT_MS, timeout: timeoutMs });
    } catch (error) {
      throw await nameRole(client, error);
    }
  if (isClient(client) || (client.isTransaction === null && client.isOpen?.() === false))
    throw new DueworkError('transaction_needed', { client: isClient(client) ? 'this client' : 'this session' });
  return run(client);
}
