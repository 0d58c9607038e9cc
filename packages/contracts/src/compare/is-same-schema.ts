import type { JsonSchema } from '../describe-schema.js';
import { canonicalJson } from './canonical-json.js';
import { compareSchemas } from './compare-schemas.js';
import { isObject } from './schema-node.js';

/**
 * Whether two schemas take the same values and fill in the same defaults. What they say for people may differ, and so may
 * their words where another release of a validator writes the same thing otherwise.
 */
export function isSameSchema(one: JsonSchema, other: JsonSchema): boolean {
  if (canonicalJson(one) === canonicalJson(other)) return true;
  return (
    canonicalJson(defaultsOf(one, '')) === canonicalJson(defaultsOf(other, '')) &&
    compareSchemas(one, other).answer === 'yes' &&
    compareSchemas(other, one).answer === 'yes'
  );
}

/** The defaults with their places; also what only looks like one, such as a property of that name, which does no harm. */
function defaultsOf(value: unknown, at: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => defaultsOf(item, `${at}/${index}`));
  if (!isObject(value)) return [];
  const own = Object.hasOwn(value, 'default') ? [[at, value['default']]] : [];
  return [
    ...own,
    ...Object.keys(value)
      .sort()
      .flatMap((key) => defaultsOf(value[key], `${at}/${key}`)),
  ];
}
