import type { StandardSchema } from './standard-schema.js';

/** What JSON Schema cannot say, but JSON can hold: a check of one's own, an additional pattern. */
const NARROWS = new Set(['predicate', 'patternIntersection']);

interface Arktype {
  toJsonSchema(options: { fallback: { default: (context: { code: string; base: object }) => object } }): unknown;
}

/**
 * Names what is no plain JSON in a type of arktype, or null. Its own Standard JSON Schema writes `{}` for a Date, as for
 * `unknown`, and describes the two ends of a morph without saying that there is one.
 */
export function findNoJsonOfArktype(schema: StandardSchema): string | null {
  let found: string | null = null;
  (schema as unknown as Arktype).toJsonSchema({
    fallback: {
      default: ({ code, base }) => {
        if (!NARROWS.has(code)) found ??= code;
        return base;
      },
    },
  });
  return found;
}
