import type { SignalContract, SignalInput } from '@duework/contracts';
import type { Queryable } from '@duework/sql';
import { sendSignal } from '../sql/steps/send-signal.js';
import { makeNewSignal, type SignalOptions } from './make-new-signal.js';

/**
 * Sends a signal through `db`: a client, or the transaction of the caller's own write, so that it is sent when that
 * commits. It ends the wait of the run that has waited longest for it; if none waits, it is kept for the first that
 * will, as long as finished runs are kept. Returns whether one waited. Each signal is received once, and each wait
 * receives one.
 *
 * Throws `DueworkError`: `invalid_payload`, `payload_not_storable` (no JSON, or a key of more than 255 characters),
 * `payload_too_large`, and `key_ring_missing` for one with sensitive values, before anything is sent, and
 * `not_in_transaction` if `db` is an ended transaction.
 */
export async function signal<S extends SignalContract>(
  db: Queryable,
  contract: S,
  payload: SignalInput<S>,
  options: SignalOptions = {},
): Promise<boolean> {
  return sendSignal(db, makeNewSignal(contract, payload, options));
}
