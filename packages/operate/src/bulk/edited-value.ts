import { isSealed, isSensitivePath, type JobContract, keyIdOf, SENSITIVE, toPointer } from '@duework/contracts';
import { DueworkError, type Json } from '@duework/queue-core';
import { currentKeyRing, sealedPlace } from '@duework/queue-core/internals';

/** What the row of an edit keeps of its value, until the action has ended. */
export interface KeptValue {
  readonly value?: Json;
  /** A value that the contract calls sensitive: encrypted where this process has a key ring, and shown to nobody. */
  readonly sensitiveValue?: unknown;
  /** A process needs a key ring to step the action: part of the payloads is encrypted, or will be. */
  readonly keyId?: string;
}

/** A version that no payload has, so that what is encrypted here is nothing anywhere else. */
const NO_VERSION = 0;

/** The value of an edit as its row keeps it; undefined: the field is removed. Throws `key_ring_missing`. */
export function keepValue(contract: JobContract, path: readonly string[], value: Json | undefined): KeptValue {
  const { type, encryption, sensitiveEver } = contract;
  if (sensitiveEver.length === 0) return value === undefined ? {} : { value };
  const ring = currentKeyRing();
  if (ring === null && encryption === 'required') throw new DueworkError('key_ring_missing', { type });
  const needed = ring === null ? {} : { keyId: ring.currentKeyId };
  if (value === undefined) return needed;
  if (!isSensitivePath(contract, path)) return { ...needed, value };
  if (ring === null) return { sensitiveValue: value };
  const sealed = ring.seal(JSON.stringify(value), sealedPlace(type, NO_VERSION, toPointer(path)));
  return { ...needed, sensitiveValue: { $sealed: sealed } };
}

/** The value again. Throws `key_missing` where this process cannot decrypt it. */
export function readValue({ type }: JobContract, path: readonly string[], kept: KeptValue): Json | undefined {
  const { value, sensitiveValue, keyId = '' } = kept;
  const ring = currentKeyRing();
  if (sensitiveValue === undefined) return value;
  if (keyId === '' || !isSealed(sensitiveValue)) return sensitiveValue as Json;
  const text = ring?.open(sensitiveValue.$sealed, sealedPlace(type, NO_VERSION, toPointer(path))) ?? null;
  if (text === null) throw new DueworkError('key_missing', { type, keyId: keyIdOf(sensitiveValue) });
  return JSON.parse(text) as Json;
}

/** Options as people see them: of a sensitive value that it was there. */
export function hideValue(options: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } {
  const { sensitiveValue, keyId: _, ...shown } = options;
  return sensitiveValue === undefined ? shown : { ...shown, value: SENSITIVE };
}
