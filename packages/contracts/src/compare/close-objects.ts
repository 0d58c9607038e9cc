import type { JsonSchema } from '../describe-schema.js';
import { isObject } from './schema-node.js';

/** Beside these, what one schema does not declare another one may. */
const COMBINING = ['allOf', 'not', 'if', 'dependentSchemas', 'unevaluatedProperties'];
const BRANCHING = ['anyOf', 'oneOf', '$ref'];

/**
 * The payloads that are stored, of those that a schema takes: a parser drops keys that its schema does not declare unless
 * it says something about them (`additionalProperties`). A schema whose objects are combined of several stays as it is.
 */
export function closeObjects(schema: JsonSchema): JsonSchema {
  return isClosable(schema) ? (close(schema, 'schema') as JsonSchema) : schema;
}

function isClosable(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isClosable);
  if (!isObject(value)) return true;
  if (COMBINING.some((keyword) => Object.hasOwn(value, keyword))) return false;
  if (Object.hasOwn(value, 'properties') && BRANCHING.some((keyword) => Object.hasOwn(value, keyword))) return false;
  return Object.values(value).every(isClosable);
}

/** Values are left alone, and what stands in a map by a name of its own is a schema. */
function close(value: unknown, kind: 'schema' | 'map'): unknown {
  if (Array.isArray(value)) return value.map((item) => close(item, 'schema'));
  if (!isObject(value)) return value;
  const closed = Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (kind === 'map') return [key, close(item, 'schema')];
      if (['enum', 'const', 'default', 'examples'].includes(key)) return [key, item];
      return [
        key,
        close(item, ['properties', 'patternProperties', '$defs', 'definitions'].includes(key) ? 'map' : 'schema'),
      ];
    }),
  );
  const isOpen = isObject(value['properties']) && !('additionalProperties' in value) && !('patternProperties' in value);
  return kind === 'schema' && isOpen ? { ...closed, additionalProperties: false } : closed;
}
