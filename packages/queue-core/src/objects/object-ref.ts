import type { ObjectRef } from './object-store.js';

/** What the row of a payload or a result holds that is in an object. `keyIds`: of the keys that encrypt some of it. */
export interface Offloaded {
  readonly $offloaded: ObjectRef & { readonly keyIds?: readonly string[] };
}

/** What every object's key looks like; nothing in it leaves a folder. */
const KEY = /^objects\/[0-9a-f]{2}\/[0-9a-f-]{36}$/;
const SHA256 = /^[0-9a-f]{64}$/;

export const OBJECTS = 'objects/';

export function isObjectRef(value: unknown): value is ObjectRef {
  if (typeof value !== 'object' || value === null) return false;
  const { $object, bytes, sha256 } = value as Partial<ObjectRef>;
  return (
    typeof $object === 'string' &&
    KEY.test($object) &&
    Number.isSafeInteger(bytes) &&
    bytes! >= 0 &&
    SHA256.test(String(sha256))
  );
}

/** The reference that a stored payload or result is; null: it is the value itself. */
export function offloadedIn(stored: unknown): Offloaded['$offloaded'] | null {
  if (typeof stored !== 'object' || stored === null || !('$offloaded' in stored)) return null;
  const { $offloaded } = stored as { readonly $offloaded: unknown };
  return isObjectRef($offloaded) && Object.keys(stored).length === 1 ? $offloaded : null;
}

/** Whether a JSON text may name an object. */
export const mayNameObjects = (json: string): boolean => json.includes('"$object":"') || json.includes('"$object": "');
