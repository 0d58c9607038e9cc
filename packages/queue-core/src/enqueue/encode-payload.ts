import { parseValue, toPointer, type JobContract, type ParseIssue } from '@duework/contracts';
import { DueworkError, findUnstorableText } from '@duework/sql/errors';
import { cleanValues } from '../secrets/clean-values.js';
import { sensitiveValues } from '../secrets/make-cleaner.js';
import { sealPayload } from '../secrets/seal-payload.js';

/** Deep enough for any reference, and far below what PostgreSQL's own JSON parser can nest. */
const MAX_DEPTH = 100;
const TOO_DEEP = `it is nested more than ${MAX_DEPTH} levels deep, or refers to itself`;

/**
 * The limit of what is kept beside a run, for people and for the next attempt: its result, its progress, results of
 * effects.
 */
const VALUE_LIMIT_BYTES = 256 * 1024;

/**
 * The JSON text of a payload that fits its contract and that PostgreSQL can store, with its sensitive values encrypted where
 * this process has a key ring; the limit counts what is stored. Throws `invalid_payload` (with a
 * pointer to each wrong field), `payload_not_storable` (a NUL, half a surrogate pair, a circular or very deep value,
 * something that is not JSON), `payload_too_large` (over `limitBytes`, in UTF-8) or `key_ring_missing`.
 */
export function encodePayload(
  contract: JobContract,
  payload: unknown,
  limitBytes: number,
): { parsed: unknown; json: string; bytes: number } {
  const { type } = contract;
  checkPayloadShape(type, payload, limitBytes);
  const parsed = parseValue(contract.payload, payload);
  if (!parsed.success)
    throw new DueworkError('invalid_payload', { type, issues: cleanIssues(contract, payload, parsed.issues) });
  const refuse: Refuse = (reason, options) => new DueworkError('payload_not_storable', { type, reason }, options);
  const plain = write(parsed.data, refuse);
  const stored = sealPayload(contract, parsed.data);
  const { json, bytes } = stored === parsed.data ? plain : write(stored, refuse);
  if (bytes > limitBytes) throw new DueworkError('payload_too_large', { type, bytes, limitBytes });
  return { parsed: parsed.data, json, bytes };
}

/** A message of a rule may quote what it refuses. */
function cleanIssues(contract: JobContract, payload: unknown, issues: readonly ParseIssue[]): readonly ParseIssue[] {
  if (contract.sensitiveEver.length === 0) return issues;
  const values = sensitiveValues(contract, payload);
  return issues.map(({ pointer, message }) => ({ pointer, message: cleanValues(message, values) }));
}

/**
 * Checks, before any other code walks through a payload, that it is finite and has no more values than its JSON may
 * have bytes: a deep one would overflow the stack of a recursive contract, and one with shared references could be
 * walked for ever. Throws `payload_not_storable`, `payload_too_large`.
 */
export function checkPayloadShape(type: string, payload: unknown, limitBytes: number): void {
  const refuse: Refuse = (reason, options) => new DueworkError('payload_not_storable', { type, reason }, options);
  const { values, reason } = readShape(payload, limitBytes, refuse);
  if (values > limitBytes) throw new DueworkError('payload_too_large', { type, bytes: values, limitBytes });
  if (reason !== null) throw refuse(reason);
}

/** The same check for whatever else is kept with a run, before its contract parses it. */
export function checkJsonShape(value: unknown, refuse: Refuse): void {
  const { values, reason } = readShape(value, VALUE_LIMIT_BYTES, refuse);
  if (values > VALUE_LIMIT_BYTES) throw refuse(`it has more than ${VALUE_LIMIT_BYTES} values`);
  if (reason !== null) throw refuse(reason);
}

/**
 * The JSON text of a value that a `jsonb` column can hold, of at most 256 KiB; `refuse` makes the error from the
 * reason. `JSON.stringify` writes half a surrogate pair and NUL as `\ud800` and `\u0000`, which PostgreSQL refuses.
 */
export function encodeJson(value: unknown, refuse: Refuse): string {
  checkJsonShape(value, refuse);
  const { json, bytes } = write(value, refuse);
  if (bytes > VALUE_LIMIT_BYTES) throw refuse(`it is ${bytes} bytes; the limit is ${VALUE_LIMIT_BYTES}`);
  return json;
}

/** The JSON text of a value that a `jsonb` column can hold. Throws `payload_not_storable`, and `payload_too_large` over `limitBytes`. */
export function encodeUpTo(type: string, value: unknown, limitBytes: number): string {
  const { json, bytes } = write(
    value,
    (reason, options) => new DueworkError('payload_not_storable', { type, reason }, options),
  );
  if (bytes > limitBytes) throw new DueworkError('payload_too_large', { type, bytes, limitBytes });
  return json;
}

type Refuse = (reason: string, options?: ErrorOptions) => Error;

/** `bytes` as PostgreSQL writes it: `1e300`, which takes five here, is a one and 300 noughts there. */
function write(value: unknown, refuse: Refuse): { json: string; bytes: number } {
  const noughts = { count: 0 };
  const reason = readSafely(() => findUnstorable(value, [], noughts), refuse);
  if (reason !== null) throw refuse(reason);
  const json = readSafely(() => JSON.stringify(value), refuse);
  return { json, bytes: Buffer.byteLength(json) + noughts.count };
}

/** A getter or a proxy may throw. */
function readSafely<T>(read: () => T, refuse: Refuse): T {
  try {
    return read();
  } catch (cause) {
    throw refuse('reading it throws an error', { cause });
  }
}

/** `values`: how many values there are, counted up to the limit. */
function readShape(value: unknown, limit: number, refuse: Refuse): { values: number; reason: string | null } {
  const count = { values: 0, limit };
  const reason = readSafely(() => findMisshapen(value, 0, count), refuse);
  return { values: count.values, reason };
}

function findMisshapen(
  value: unknown,
  depth: number,
  count: { values: number; readonly limit: number },
): string | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return `it contains ${value}, which JSON does not have`;
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_DEPTH) return TOO_DEEP;
  const keys = Object.keys(value);
  // JSON also writes the holes of an array
  count.values += Array.isArray(value) ? value.length : keys.length;
  if (count.values > count.limit) return null;
  for (const key of keys) {
    // parsers of objects leave this key out, so that it would be lost silently
    if (key === '__proto__') return 'it has a key "__proto__", which would be lost';
    const found = findMisshapen((value as Record<string, unknown>)[key], depth + 1, count);
    if (found !== null || count.values > count.limit) return found;
  }
  return null;
}

function findUnstorable(value: unknown, path: string[], noughts: { count: number }): string | null {
  const at = (): string => (path.length === 0 ? 'the value' : toPointer(path));
  if (typeof value === 'string') return tell(at, findUnstorableText(value));
  if (typeof value === 'number') {
    noughts.count += countNoughts(value);
    return Number.isFinite(value) ? null : `${at()} is ${value}, which JSON does not have`;
  }
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value !== 'object')
    return `${at()} is ${value === undefined ? 'undefined' : `a ${typeof value}`}, which JSON does not have`;
  if (path.length >= MAX_DEPTH) return TOO_DEEP;
  if ((!Array.isArray(value) && !isPlainObject(value)) || typeof (value as { toJSON?: unknown }).toJSON === 'function')
    return `${at()} is not plain JSON`;
  if (Array.isArray(value) && Object.keys(value).length < value.length)
    return `${at()} is an array with holes, which JSON does not have`;
  for (const [key, item] of Object.entries(value)) {
    const unstorableKey = findUnstorableText(key);
    if (unstorableKey !== null) return `a key of ${at()} ${unstorableKey}`;
    // JSON leaves out a field that is undefined
    if (item === undefined && !Array.isArray(value)) continue;
    path.push(key);
    const found = findUnstorable(item, path, noughts);
    path.pop();
    if (found !== null) return found;
  }
  return null;
}

function tell(at: () => string, what: string | null): string | null {
  return what === null ? null : `${at()} ${what}`;
}

/** How many more characters a number takes without its exponent. */
function countNoughts(value: number): number {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-6 && size < 1e21)) return 0;
  return Math.abs(Math.floor(Math.log10(size)));
}

/** Of any realm: Jest, `vm`, `structuredClone` and `fetch` make objects whose `Object.prototype` is another one. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (Object.getPrototypeOf(prototype) === null && !(Symbol.toStringTag in value));
}
