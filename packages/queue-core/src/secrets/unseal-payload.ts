import { changeAtPaths, isSealed, keyIdOf, type JobContract } from '@duework/contracts';
import { DueworkError } from '@duework/sql/errors';
import { currentKeyRing } from './current-key-ring.js';
import type { KeyRing } from './key-ring.js';
import { eventPlace, sealedPlace } from './sealed-place.js';

type Unsealable = Pick<JobContract, 'type' | 'sensitiveEver'> & Partial<Pick<JobContract, 'subscription'>>;

/**
 * A stored payload of any version with its encrypted values decrypted, before it is parsed. Throws `DueworkError`:
 * `key_missing` if this process lacks the key, and `payload_not_readable` for a value that was changed or moved.
 */
export function unsealPayload(
  { type, sensitiveEver, subscription = null }: Unsealable,
  version: number,
  stored: unknown,
  ring: KeyRing | null = currentKeyRing(),
): unknown {
  if (sensitiveEver.length === 0) return stored;
  return changeAtPaths(stored, sensitiveEver, (value, pointer) => {
    if (!isSealed(value)) return value;
    const keyId = keyIdOf(value);
    if (ring === null || !ring.has(keyId)) throw new DueworkError('key_missing', { type, keyId });
    const text =
      ring.open(value.$sealed, sealedPlace(type, version, pointer)) ??
      // it was published, not enqueued
      (subscription === null
        ? null
        : ring.open(value.$sealed, sealedPlace(eventPlace(subscription.event.name), version, pointer)));
    if (text === null) throw new DueworkError('payload_not_readable', { type, pointer, keyId });
    return JSON.parse(text) as unknown;
  });
}
