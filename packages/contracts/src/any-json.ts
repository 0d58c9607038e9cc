import type { StandardSchema } from './standard-schema.js';

/** A JSON value; an undefined field is left out. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** The schema of a result if a contract gives none. */
export type AnyJson = StandardSchema<Json>;

export const ANY_JSON: AnyJson = {
  '~standard': {
    version: 1,
    vendor: 'duework',
    validate(value) {
      const path = findNoJson(value, []);
      return path === null ? { value: value as Json } : { issues: [{ message: 'expected plain JSON', path }] };
    },
  },
};

/** The path to the first value that is no JSON, or null. The caller has made sure that the value is finite. */
function findNoJson(value: unknown, path: readonly string[]): readonly string[] | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : path;
  if (typeof value !== 'object' || !isPlain(value)) return path;
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined && !Array.isArray(value)) continue;
    const found = findNoJson(item, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
