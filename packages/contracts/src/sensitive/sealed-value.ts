import { isObject } from '../compare/schema-node.js';

/** What stands in a stored payload in place of a value that was encrypted: `{ "$sealed": "k2:…" }`. */
export interface SealedValue {
  /** The id of its key, a colon, and nonce, tag and cipher text in base64url. */
  readonly $sealed: string;
}

/** Whether a value of a stored payload was encrypted. */
export function isSealed(value: unknown): value is SealedValue {
  return isObject(value) && typeof value['$sealed'] === 'string' && Object.keys(value).length === 1;
}

/** The id of the key that a sealed value was encrypted with. */
export function keyIdOf({ $sealed }: SealedValue): string {
  return $sealed.slice(0, Math.max(0, $sealed.indexOf(':')));
}
