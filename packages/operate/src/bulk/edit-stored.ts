import { type JobContract, readPayload } from '@duework/contracts';
import { DueworkError, type Json, unsealPayload } from '@duework/queue-core';
import { findLostNumber } from '@duework/sql';
import { type Gates, gatesOf, offloadedIn, sealPayload } from '@duework/queue-core/internals';
import { editAt } from './edit-at.js';

/** Why a payload is left as it is. */
export type EditRefusal =
  | 'invalid_payload'
  | 'payload_offloaded'
  | 'number_not_kept'
  | 'unknown_job_version'
  | 'key_missing';

export interface EditedStored {
  /**
   * A payload that is stored anew as a whole, because some of it is encrypted, and what it was, for an undo. null: the
   * database edits the field.
   */
  readonly whole: { readonly payload: Json; readonly was: Json } | null;
  /** Where the run has to stand in line with it. */
  readonly flow: Gates | null;
}

/**
 * What becomes of a stored payload, as JSON, with another value at a path (undefined: without the field): its contract checks it. The
 * database edits the field, so that whatever is beside it stays as it is stored, numbers that JavaScript cannot hold among it; where
 * some of it is sensitive, what is encrypted is decrypted first and encrypted anew afterwards.
 */
export function editStored(
  contract: JobContract,
  version: number,
  stored: string,
  path: readonly string[],
  value: Json | undefined,
): EditedStored | EditRefusal {
  const sensitive = version === contract.version ? contract.sensitive : contract.past.get(version)?.sensitive;
  if (sensitive === undefined) return 'unknown_job_version';
  if (offloadedIn(JSON.parse(stored)) !== null) return 'payload_offloaded';
  // one that is written anew as a whole would lose digits
  if (contract.sensitiveEver.length > 0 && findLostNumber(stored) !== null) return 'number_not_kept';
  try {
    const old = unsealPayload(contract, version, JSON.parse(stored)) as Json;
    const made = editAt(old, path, value);
    const flow = made === undefined ? undefined : flowOf(contract, version, made);
    if (made === undefined || flow === undefined) return 'invalid_payload';
    const seal = (payload: Json): Json => sealPayload({ ...contract, version, sensitive }, payload) as Json;
    if (contract.sensitiveEver.length > 0) return { whole: { payload: seal(made), was: seal(old) }, flow };
    return { whole: null, flow };
  } catch (error) {
    if (!DueworkError.is(error)) throw error;
    return error.code === 'payload_not_storable' ? 'invalid_payload' : 'key_missing';
  }
}

/** The gates of a run with this payload, null for none; undefined: the contract does not take the payload. */
function flowOf(contract: JobContract, version: number, payload: Json): Gates | null | undefined {
  try {
    const read = readPayload(contract, version, payload);
    return read.success ? gatesOf(contract, read.data) : undefined;
  } catch {
    // a rule of the contract's schema that throws does not take this payload either
    return undefined;
  }
}
