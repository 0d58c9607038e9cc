import type { StandardSchema } from './standard-schema.js';

/** Names of zod 4, and of zod 3 without their `Zod`, in lower case. */
const NO_JSON = new Set(
  'bigint codec custom date file function map nan promise set success symbol transform undefined void'.split(' '),
);
/** What zod's own JSON Schema does not refuse: it describes both ends of a codec, each by itself. */
const UNTOLD = new Set(['codec']);

/** How zod describes a schema: `type` in version 4, `typeName` in version 3. */
interface Definition {
  readonly type?: unknown;
  readonly typeName?: unknown;
  readonly effect?: { readonly type: string };
  readonly checks?: unknown;
  readonly reverseTransform?: unknown;
}

/**
 * Names what is no plain JSON in a schema of zod, or null. Before 4.2 zod does not write Standard JSON Schema, and what
 * is given as JSON Schema instead need not tell: zod-to-json-schema writes a Date as a string, and a transform as its
 * input. From 4.2 on zod refuses by itself most of what is no JSON.
 */
export function findNoJsonOfZod(schema: StandardSchema): string | null {
  return findIn(schema, schema['~standard'].jsonSchema === undefined ? NO_JSON : UNTOLD, new Set());
}

/** Looks through everything that a definition is made of, but for checks: they only refuse. */
function findIn(value: unknown, names: Set<string>, seen: Set<unknown>): string | null {
  if (typeof value !== 'object' || value === null || seen.has(value)) return null;
  seen.add(value);
  const { _zod, _def } = value as { readonly _zod?: { readonly def?: Definition }; readonly _def?: Definition };
  const definition = _zod?.def ?? _def;
  if (definition === undefined) return findInAll(Object.values(value), names, seen);
  const { checks: _, ...parts } = definition;
  const name = nameOf(definition);
  if (names.has(name)) return name;
  const late = [callLate(definition, 'shape'), callLate(definition, 'getter')];
  return findInAll([...Object.values(parts), ...late], names, seen);
}

function findInAll(values: readonly unknown[], names: Set<string>, seen: Set<unknown>): string | null {
  for (const value of values) {
    const found = findIn(value, names, seen);
    if (found !== null) return found;
  }
  return null;
}

function nameOf({ type, typeName, effect, reverseTransform }: Definition): string {
  if (reverseTransform !== undefined) return 'codec';
  if (effect !== undefined && effect.type !== 'refinement') return 'transform';
  return typeof typeName === 'string' ? typeName.replace(/^Zod/, '').toLowerCase() : String(type);
}

/** What refers to itself is made late, by a function without arguments. */
function callLate(definition: Definition, name: 'shape' | 'getter'): unknown {
  const late = (definition as Record<string, unknown>)[name];
  return typeof late === 'function' ? (late as () => unknown)() : late;
}
