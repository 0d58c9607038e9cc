import { changeAtPaths, isSealed, type JobContract } from '@duework/contracts';
import { DueworkError } from '@duework/sql/errors';
import { currentKeyRing } from './current-key-ring.js';
import type { KeyRing } from './key-ring.js';
import { sealedPlace } from './sealed-place.js';

type Sealable = Pick<JobContract, 'type' | 'version' | 'sensitive' | 'encryption'>;

/**
 * A payload of today's version as it is stored: its sensitive values encrypted with the current key of this process, and the
 * payload itself where there is nothing to encrypt, or nothing to encrypt with. Throws `DueworkError`: `key_ring_missing`
 * where the contract requires encryption, `payload_not_storable` for a value that looks like an encrypted one and is none.
 */
export function sealPayload(contract: Sealable, payload: unknown, ring: KeyRing | null = currentKeyRing()): unknown {
  const { type, version, sensitive, encryption } = contract;
  if (sensitive.length === 0) return payload;
  if (ring === null && encryption === 'required') throw new DueworkError('key_ring_missing', { type });
  return changeAtPaths(payload, sensitive, (value, pointer) => {
    if (ring !== null) return { $sealed: ring.seal(JSON.stringify(value), sealedPlace(type, version, pointer)) };
    if (isSealed(value))
      throw new DueworkError('payload_not_storable', { type, reason: `${pointer} looks like an encrypted value` });
    return value;
  });
}
