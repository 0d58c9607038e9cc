import type { StandardSchema } from './standard-schema.js';

/** Names of zod 4, and of zod 3 without their `Zod`, in lower case. */
const NO_JSON = new Set(
  'bigint date custom file function map nan promise set symbol success transform undefined void'.split(' '),
);

/** How zod describes a schema: `type` in version 4, `typeName` in version 3. */
interface Definition {
  readonly type?: unknown;
  readonly typeName?: unknown;
  readonly effect?: { readonly type: string };
  readonly checks?: unknown;
}

/**
 * Names what is no plain JSON in a schema of a zod that does not write Standard JSON Schema (before 4.2), or null. What
 * is given as JSON Schema instead need not tell: zod-to-json-schema writes a Date as a string, and a transform as its
 * input.
 */
export function findNoJsonOfZod(schema: StandardSchema): string | null {
  if (schema['~standard'].jsonSchema !== undefined) return null;
  return findIn(schema, new Set());
}

/** Looks through everything that a definition is made of, but for checks: they only refuse. */
function findIn(value: unknown, seen: Set<unknown>): string | null {
  if (typeof value !== 'object' || value === null || seen.has(value)) return null;
  seen.add(value);
  const { _zod, _def } = value as { readonly _zod?: { readonly def?: Definition }; readonly _def?: Definition };
  const definition = _zod?.def ?? _def;
  if (definition === undefined) return findInAll(Object.values(value), seen);
  const name = nameOf(definition);
  if (NO_JSON.has(name)) return name;
  const { checks: _, ...parts } = definition;
  return findInAll([...Object.values(parts), callLate(definition, 'shape'), callLate(definition, 'getter')], seen);
}

function findInAll(values: readonly unknown[], seen: Set<unknown>): string | null {
  for (const value of values) {
    const found = findIn(value, seen);
    if (found !== null) return found;
  }
  return null;
}

function nameOf({ type, typeName, effect }: Definition): string {
  if (effect !== undefined && effect.type !== 'refinement') return 'transform';
  return typeof typeName === 'string' ? typeName.replace(/^Zod/, '').toLowerCase() : String(type);
}

/** What refers to itself is made late, by a function without arguments. */
function callLate(definition: Definition, name: 'shape' | 'getter'): unknown {
  const late = (definition as Record<string, unknown>)[name];
  return typeof late === 'function' ? (late as () => unknown)() : late;
}
