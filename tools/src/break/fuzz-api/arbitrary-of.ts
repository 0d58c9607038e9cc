import fc from 'fast-check';
import { readPointer, type JsonSchema } from './read-operations.js';
import { hostileJson, hostileText } from './hostile-values.js';
import { formatted } from './formatted.js';

/** Values that mean something for a name, whatever its schema says: `cron`, `filter`. */
export type MeaningOf = (name: string) => fc.Arbitrary<unknown> | undefined;

/** How deep a schema may nest until only its simplest values are made. */
const MAX_DEPTH = 6;

/** Values that fit a schema of the document: its examples, its limits, and by chance between them. */
export function arbitraryOf(
  document: object,
  schema: JsonSchema,
  meaningOf: MeaningOf,
  depth = 0,
): fc.Arbitrary<unknown> {
  const of = (part: unknown): fc.Arbitrary<unknown> => arbitraryOf(document, part as JsonSchema, meaningOf, depth + 1);
  if (typeof schema['$ref'] === 'string') {
    const made = of(readPointer(document, schema['$ref']));
    const meant = meaningOf(schema['$ref']);
    return meant === undefined ? made : fc.oneof(meant, made);
  }
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const either = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(either)) return depth > MAX_DEPTH ? of(either[0]) : fc.oneof(...either.map(of));
  if (Array.isArray(schema['allOf'])) {
    return fc.tuple(...schema['allOf'].map(of)).map((parts) => Object.assign({}, ...(parts as object[])) as unknown);
  }
  const given = ['example', 'default'].filter((keyword) => keyword in schema).map((keyword) => schema[keyword]);
  const made = plain(schema, of, meaningOf, depth);
  return given.length === 0 ? made : fc.oneof(fc.constantFrom(...given), made);
}

type Of = (part: unknown) => fc.Arbitrary<unknown>;

function plain(schema: JsonSchema, of: Of, meaningOf: MeaningOf, depth: number): fc.Arbitrary<unknown> {
  const { type, minimum, maximum } = schema as { type?: string | string[]; minimum?: number; maximum?: number };
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => plain({ ...schema, type: one }, of, meaningOf, depth)));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return whole(minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER);
    case 'number':
      return fc.double({ min: minimum ?? -1e9, max: maximum ?? 1e9, noNaN: true });
    case 'string':
      return text(schema);
    case 'array':
      return fc.array(of(schema['items'] ?? {}), {
        minLength: Number(schema['minItems'] ?? 0),
        maxLength: Math.max(Number(schema['minItems'] ?? 0), Math.min(Number(schema['maxItems'] ?? 3), 3)),
      });
    case 'object':
      return fields(schema, of, meaningOf, depth);
    default:
      return depth > MAX_DEPTH ? fc.constant(null) : hostileJson;
  }
}

/** Both limits more often than chance has them. */
function whole(min: number, max: number): fc.Arbitrary<number> {
  const least = Math.max(min, Number.MIN_SAFE_INTEGER);
  const most = Math.min(max, Number.MAX_SAFE_INTEGER);
  return fc.oneof(
    { arbitrary: fc.integer({ min: Math.max(least, -20), max: Math.min(most, Math.max(least, 0) + 20) }), weight: 3 },
    { arbitrary: fc.constantFrom(least, most), weight: 1 },
  );
}

function text(schema: JsonSchema): fc.Arbitrary<string> {
  const minLength = Number(schema['minLength'] ?? 0);
  const maxLength = Number(schema['maxLength'] ?? 40);
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : null;
  const isFit = (value: string): boolean => (pattern?.test(value) ?? true) && value.length <= maxLength;
  const known = formatted(String(schema['format'] ?? ''));
  if (known !== null) return filtered(known, isFit);
  if (pattern !== null && canMake(pattern)) {
    return fc.oneof(
      { arbitrary: filtered(fc.stringMatching(pattern, { size: 'small' }), isFit), weight: 3 },
      { arbitrary: filtered(fc.stringMatching(pattern, { size: 'medium' }), isFit), weight: 1 },
    );
  }
  const fill = (value: string): string =>
    (value + 'abcdefghijklmnopqrstuvwxyz'.repeat(3)).slice(0, Math.max(value.length, minLength));
  return fc
    .oneof(
      { arbitrary: fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/), weight: 3 },
      { arbitrary: filtered(hostileText, isFit), weight: 2 },
      { arbitrary: fc.constant('x'.repeat(Math.min(maxLength, 5_000))), weight: 1 },
    )
    .map(fill);
}

/** Not everything that a pattern can say can be turned round. */
function canMake(pattern: RegExp): boolean {
  try {
    return fc.sample(fc.stringMatching(pattern), 1).length === 1;
  } catch {
    return false;
  }
}

/** A filter that nothing passes would look for ever: then values that do not fit are better than none. */
function filtered<T>(made: fc.Arbitrary<T>, isFit: (value: T) => boolean): fc.Arbitrary<T> {
  const passing = fc.sample(made, { seed: 1, numRuns: 50 }).filter(isFit).length;
  return passing < 5 ? made : made.filter(isFit);
}

function fields(schema: JsonSchema, of: Of, meaningOf: MeaningOf, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema['required'] ?? []) as string[]);
  const made = properties.map(([name, part]) => {
    const meant = 'const' in part ? undefined : meaningOf(name);
    const value = meant === undefined ? of(part) : fc.oneof({ arbitrary: meant, weight: 3 }, of(part));
    return [name, value] as const;
  });
  const known = sparse(made.filter(([name]) => !required.has(name))).chain((optional) =>
    fc
      .record(Object.fromEntries(made.filter(([name]) => required.has(name))))
      .map((always) => ({ ...always, ...optional })),
  );
  const more = schema['additionalProperties'];
  if (properties.length > 0 || more === false || depth > MAX_DEPTH) return known;
  return fc.dictionary(hostileText, typeof more === 'object' ? of(more) : hostileJson, { maxKeys: 3 });
}

/** Some of these, mostly few: all at once would contradict each other. */
export function sparse<T>(
  named: readonly (readonly [name: string, value: fc.Arbitrary<T>])[],
): fc.Arbitrary<Record<string, T>> {
  const some = named.map(([name, value]) =>
    fc.oneof(
      { arbitrary: fc.constant(null), weight: 3 },
      { arbitrary: value.map((one) => [name, one] as const), weight: 1 },
    ),
  );
  return fc
    .tuple(...some)
    .map((pairs) => Object.fromEntries(pairs.filter((pair) => pair !== null)) as Record<string, T>);
}
