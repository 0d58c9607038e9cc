import type { JobContract } from '@duework/contracts';
import { DueworkError, type PayloadIssue } from './errors.js';

/** Deep enough for any reference, and far below what PostgreSQL's own JSON parser can nest. */
const MAX_DEPTH = 100;
const TOO_DEEP = `it is nested more than ${MAX_DEPTH} levels deep, or refers to itself`;

/**
 * The JSON text of a payload that keeps its contract and that PostgreSQL can store.
 * Throws `invalid_payload` (with a pointer to each wrong field), `payload_not_storable` (a NUL, half a surrogate pair, a
 * circular or very deep value, something that is not JSON) or `payload_too_large` (over `limitBytes`, in UTF-8).
 */
export function encodePayload(contract: JobContract, payload: unknown, limitBytes: number): { parsed: unknown; json: string } {
  const { type } = contract;
  // Before the contract looks at it: a schema that recurses, such as z.json(), would overflow the stack.
  if (isTooDeep(payload, 0)) throw new DueworkError('payload_not_storable', { type, reason: TOO_DEEP });
  const parsed = contract.payload.safeParse(payload);
  if (!parsed.success) {
    const issues: PayloadIssue[] = parsed.error.issues.map((issue) => ({ pointer: toPointer(issue.path), message: issue.message }));
    throw new DueworkError('invalid_payload', { type, issues }, { cause: parsed.error });
  }
  const json = encodeJson(parsed.data, (reason) => new DueworkError('payload_not_storable', { type, reason }));
  const bytes = Buffer.byteLength(json);
  if (bytes > limitBytes) throw new DueworkError('payload_too_large', { type, bytes, limitBytes });
  return { parsed: parsed.data, json };
}

/**
 * The JSON text of a value that a `jsonb` column can hold; `refuse` makes the error from the reason.
 * `JSON.stringify` writes half a surrogate pair and NUL as `\ud800` and `\u0000`, which PostgreSQL refuses.
 */
export function encodeJson(value: unknown, refuse: (reason: string) => Error): string {
  const reason = findUnstorable(value, 0, []);
  if (reason !== null) throw refuse(reason);
  return JSON.stringify(value) ?? 'null';
}

function findUnstorable(value: unknown, depth: number, path: readonly string[]): string | null {
  const at = path.length === 0 ? 'the value' : toPointer(path);
  if (typeof value === 'string') return findUnstorableText(value, at);
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${at} is ${value}, which JSON does not have`;
  if (value === null || value === undefined || typeof value === 'boolean') return null;
  if (typeof value !== 'object') return `${at} is a ${typeof value}, which JSON does not have`;
  if (depth >= MAX_DEPTH) return TOO_DEEP;
  if (!Array.isArray(value) && !isPlainObject(value)) return `${at} is not plain JSON`;
  for (const [key, item] of Object.entries(value)) {
    const found = findUnstorableText(key, `a key of ${at}`) ?? findUnstorable(item, depth + 1, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}

function isTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= MAX_DEPTH || Object.values(value).some((item) => isTooDeep(item, depth + 1));
}

function findUnstorableText(text: string, at: string): string | null {
  if (text.includes('\0')) return `${at} contains a NUL character`;
  return text.isWellFormed() ? null : `${at} contains half a surrogate pair`;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** RFC 6901: `~` and `/` in a name are written `~0` and `~1`. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
