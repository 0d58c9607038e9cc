import { isObject } from '../compare/schema-node.js';
import { toPointer } from '../to-pointer.js';
import { type PathParts, readPath } from './sensitive-path.js';

type Change = (value: unknown, pointer: string) => unknown;

/**
 * A copy of a value in which each value at one of the paths is what `change` makes of it; what does not change is shared
 * with the original. `change` gets the RFC 6901 pointer to the very value.
 */
export function changeAtPaths(value: unknown, paths: readonly string[], change: Change): unknown {
  // the shorter first: a value may hold another one
  return [...paths]
    .sort((a, b) => a.length - b.length)
    .reduce((changed, path) => at(changed, readPath(path) ?? [], [], change), value);
}

function at(value: unknown, parts: PathParts, path: readonly string[], change: Change): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return value === undefined ? value : change(value, toPointer(path));
  if (Array.isArray(value)) {
    const isMeant = (index: number): boolean => part === '*' || part === String(index);
    return value.map((item: unknown, index) =>
      isMeant(index) ? at(item, rest, [...path, String(index)], change) : item,
    );
  }
  if (!isObject(value)) return value;
  const keys = part === '*' ? Object.keys(value) : Object.hasOwn(value, part) ? [part] : [];
  if (keys.length === 0) return value;
  return { ...value, ...Object.fromEntries(keys.map((key) => [key, at(value[key], rest, [...path, key], change)])) };
}
