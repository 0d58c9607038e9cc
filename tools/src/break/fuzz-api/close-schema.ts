import { readPointer, type JsonSchema } from './read-operations.js';

/**
 * A schema of the document with its references filled in, which refuses what it does not name: an answer with a field that
 * nobody has described is not as it was declared.
 */
export function closeSchema(document: object, schema: JsonSchema, isPart = false): JsonSchema {
  if (typeof schema['$ref'] === 'string') return closeSchema(document, readPointer(document, schema['$ref']), isPart);
  const closed: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) closed[keyword] = closeKeyword(document, keyword, value);
  // a part of another one names only some of the fields
  if (!isPart && ('properties' in closed || 'allOf' in closed) && !('additionalProperties' in closed))
    closed['unevaluatedProperties'] = false;
  return closed;
}

function closeKeyword(document: object, keyword: string, value: unknown): unknown {
  const close = (one: unknown, isPart = false): unknown =>
    typeof one === 'object' && one !== null ? closeSchema(document, one as JsonSchema, isPart) : one;
  if (keyword === 'properties')
    return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, close(one)]));
  if (keyword === 'allOf') return (value as unknown[]).map((one) => close(one, true));
  if (keyword === 'anyOf' || keyword === 'oneOf') return (value as unknown[]).map((one) => close(one));
  if (keyword === 'items' || keyword === 'additionalProperties') return close(value);
  return value;
}
