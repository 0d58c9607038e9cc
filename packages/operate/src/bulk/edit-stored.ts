import { type JobContract, readPayload } from '@duework/contracts';
import { DueworkError, type Json, unsealPayload } from '@duework/queue-core';
import { sealPayload } from '@duework/queue-core/internals';
import { editAt, findAt } from './edit-at.js';

/** Why a payload is left as it is. */
export type EditRefusal = 'invalid_payload' | 'unknown_job_version' | 'key_missing';

export interface EditedStored {
  /** As it is stored. */
  readonly payload: Json;
  /** What an undo needs: `value` of the field, empty where it was not there; the whole `payload` where some of it is sensitive. */
  readonly was: { readonly value?: Json; readonly payload?: Json };
}

/**
 * A stored payload with another value at a path (undefined: without the field): what is encrypted of it is decrypted first and
 * encrypted anew afterwards, and its contract checks it in between.
 */
export function editStored(
  contract: JobContract,
  version: number,
  stored: Json,
  path: readonly string[],
  value: Json | undefined,
): EditedStored | EditRefusal {
  const sensitive = version === contract.version ? contract.sensitive : contract.past.get(version)?.sensitive;
  if (sensitive === undefined) return 'unknown_job_version';
  try {
    const old = unsealPayload(contract, version, stored) as Json;
    const made = editAt(old, path, value);
    if (made === undefined || !fits(contract, version, made)) return 'invalid_payload';
    const seal = (payload: Json): Json => sealPayload({ ...contract, version, sensitive }, payload) as Json;
    // guard: bulk-edit-sealed
    if (contract.sensitiveEver.length > 0) return { payload: seal(made), was: { payload: seal(old) } };
    // guard end: bulk-edit-sealed
    const before = findAt(old, path);
    return { payload: made, was: before === undefined ? {} : { value: before } };
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
