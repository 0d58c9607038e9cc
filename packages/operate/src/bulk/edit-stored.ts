import { type JobContract, readPayload } from '@duework/contracts';
import { DueworkError, type Json, unsealPayload } from '@duework/queue-core';
import { findLostNumber } from '@duework/sql';
import { sealPayload } from '@duework/queue-core/internals';
import { editAt } from './edit-at.js';

/** Why a payload is left as it is. */
export type EditRefusal = 'invalid_payload' | 'number_not_kept' | 'unknown_job_version' | 'key_missing';

/** A payload that is stored anew as a whole, because some of it is encrypted, and what it was, for an undo. */
export interface EditedStored {
  readonly payload: Json;
  readonly was: Json;
}

/**
 * What becomes of a stored payload, as JSON, with another value at a path (undefined: without the field): its contract checks it. null: the
 * database edits the field, so that whatever is beside it stays as it is stored, numbers that JavaScript cannot hold among it. Where
 * some of it is sensitive, what is encrypted is decrypted first and encrypted anew afterwards.
 */
export function editStored(
  contract: JobContract,
  version: number,
  stored: string,
  path: readonly string[],
  value: Json | undefined,
): EditedStored | EditRefusal | null {
  const sensitive = version === contract.version ? contract.sensitive : contract.past.get(version)?.sensitive;
  if (sensitive === undefined) return 'unknown_job_version';
  // one that is written anew as a whole would lose digits
  if (contract.sensitiveEver.length > 0 && findLostNumber(stored) !== null) return 'number_not_kept';
  try {
    const old = unsealPayload(contract, version, JSON.parse(stored)) as Json;
    const made = editAt(old, path, value);
    if (made === undefined || !fits(contract, version, made)) return 'invalid_payload';
    const seal = (payload: Json): Json => sealPayload({ ...contract, version, sensitive }, payload) as Json;
    if (contract.sensitiveEver.length > 0) return { payload: seal(made), was: seal(old) };
    return null;
  } catch (error) {
    if (!DueworkError.is(error)) throw error;
    return error.code === 'payload_not_storable' ? 'invalid_payload' : 'key_missing';
  }
}

function fits(contract: JobContract, version: number, payload: Json): boolean {
  try {
    return readPayload(contract, version, payload).success;
  } catch {
    // a rule of the contract's schema that throws does not take this payload either
    return false;
  }
}
