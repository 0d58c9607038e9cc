import { changeAtPaths, isSealed, type JobContract, keyIdOf } from '@duework/contracts';
import type { KeyRing } from '@duework/queue-core';
import { sealedPlace } from '@duework/queue-core/internals';

export interface Resealed {
  readonly payload: unknown;
  /** Whether anything of it is encrypted anew. */
  readonly isChanged: boolean;
  /** The ids of keys that the ring does not have, or that are others there. */
  readonly missing: readonly string[];
}

interface Given {
  readonly type: string;
  readonly version: number;
  readonly payload: unknown;
  /** With it, sensitive values that are still in plain text are encrypted, too. */
  readonly contract: JobContract | undefined;
}

/** A stored payload with all its encrypted values under the current key of the ring. */
export function resealPayload(ring: KeyRing, { type, version, payload, contract }: Given): Resealed {
  const missing = new Set<string>();
  let isChanged = false;
  const seal = (text: string, pointer: string): { $sealed: string } => {
    isChanged = true;
    return { $sealed: ring.seal(text, sealedPlace(type, version, pointer)) };
  };
  const reseal = (value: unknown, pointer: string): unknown => {
    if (isSealed(value)) {
      const keyId = keyIdOf(value);
      if (keyId === ring.currentKeyId) return value;
      const text = ring.open(value.$sealed, sealedPlace(type, version, pointer));
      if (text !== null) return seal(text, pointer);
      missing.add(keyId);
      return value;
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(
      ([key, item]) => [key, reseal(item, `${pointer}/${escape(key)}`)] as const,
    );
    return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  };
  const paths = version === contract?.version ? contract.sensitive : (contract?.past.get(version)?.sensitive ?? []);
  const sealed = changeAtPaths(reseal(payload, ''), paths, (value, pointer) =>
    isSealed(value) ? value : seal(JSON.stringify(value), pointer),
  );
  return { payload: sealed, isChanged, missing: [...missing] };
}

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
