import { canonicalJson } from './canonical-json.js';
import { propertyOf, requiredKeys } from './object-keys.js';
import type { SchemaNode } from './schema-node.js';
import { type Branch, splitSchema } from './split-schema.js';

const MAX_DEPTH = 8;

/** Whether it is proven that no value of a branch of `root` is one of `other`: by type, by value, or by a key that both need. */
export function areDisjoint(
  branch: Branch,
  root: SchemaNode,
  other: SchemaNode,
  otherRoot: SchemaNode,
  depth = 0,
): boolean {
  if (depth > MAX_DEPTH) return false;
  const branches = splitSchema(other, otherRoot);
  return branches !== null && branches.every((one) => arePartedBy(branch, root, one, otherRoot, depth));
}

function arePartedBy(a: Branch, root: SchemaNode, b: Branch, otherRoot: SchemaNode, depth: number): boolean {
  if (a.type !== b.type) return true;
  if (a.hasValue && b.hasValue) return canonicalJson(a.value) !== canonicalJson(b.value);
  if (a.type !== 'object') return false;
  const needed = requiredKeys(b);
  return [...requiredKeys(a)]
    .filter((key) => needed.has(key))
    .some((key) => {
      const values = splitSchema(propertyOf(a, key), root);
      return (
        values !== null && values.every((value) => areDisjoint(value, root, propertyOf(b, key), otherRoot, depth + 1))
      );
    });
}
