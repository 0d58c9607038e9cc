import type { JsonSchema } from '../describe-schema.js';
import { findAtPath } from './find-at-path.js';
import { readPath } from './sensitive-path.js';

const MARK = 'x-sensitive';

/**
 * A JSON Schema whose sensitive values are marked `"x-sensitive": true`, so that whoever reads the lock, the registry or the
 * docs sees them. It is an annotation: what the schema takes is the same.
 */
export function markSensitive(schema: JsonSchema, paths: readonly string[]): JsonSchema {
  if (paths.length === 0) return schema;
  const copy = structuredClone(schema) as JsonSchema;
  for (const path of paths)
    for (const node of findAtPath(copy, readPath(path)!).nodes)
      if (typeof node === 'object') Object.assign(node, { [MARK]: true });
  return Object.freeze(copy);
}

/** What is sensitive in one schema and not in the other, as pointers into the schemas. */
export function compareMarks(
  before: JsonSchema,
  after: JsonSchema,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const [old, given] = [markedPlaces(before, ''), markedPlaces(after, '')];
  return {
    added: given.filter((place) => !old.includes(place)),
    removed: old.filter((place) => !given.includes(place)),
  };
}

function markedPlaces(schema: unknown, at: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const below = Object.entries(schema).flatMap(([key, value]) => markedPlaces(value, `${at}/${key}`));
  return (schema as JsonSchema)[MARK] === true ? [at, ...below] : below;
}
