import { isSealed, SENSITIVE, type SignalContract, toPointer } from '@duework/contracts';
import { currentKeyRing } from './current-key-ring.js';
import { sealPayload } from './seal-payload.js';
import { sealedPlace } from './sealed-place.js';
import { unsealPayload } from './unseal-payload.js';

/** A blank is in no type of job, so that what is encrypted in a signal is nothing in a payload. */
const typeOf = (name: string): string => `signal ${name}`;
/** A signal has one. */
const VERSION = 0;

/**
 * The payload of a signal as it is stored: what its contract calls sensitive is always encrypted, because whoever shows it may not
 * know the contract. Throws `key_ring_missing`.
 */
export function sealSignal({ name, sensitive }: SignalContract, payload: unknown): unknown {
  return sealPayload({ type: typeOf(name), version: VERSION, sensitive, encryption: 'required' }, payload);
}

/** It again. Throws `key_missing`, `payload_not_readable`. */
export function unsealSignal({ name, sensitive }: SignalContract, stored: unknown): unknown {
  return unsealPayload({ type: typeOf(name), sensitiveEver: sensitive }, VERSION, stored);
}

/** The same for people, who need no contract for it; `[sensitive]` is what cannot be decrypted here. */
export function showSignal(name: string, stored: unknown, pointer = ''): unknown {
  if (isSealed(stored)) {
    const text = currentKeyRing()?.open(stored.$sealed, sealedPlace(typeOf(name), VERSION, pointer)) ?? null;
    return text === null ? SENSITIVE : (JSON.parse(text) as unknown);
  }
  const below = (key: string, item: unknown): unknown => showSignal(name, item, `${pointer}${toPointer([key])}`);
  if (Array.isArray(stored)) return stored.map((item, at) => below(String(at), item));
  if (typeof stored !== 'object' || stored === null) return stored;
  return Object.fromEntries(Object.entries(stored).map(([key, item]) => [key, below(key, item)]));
}
