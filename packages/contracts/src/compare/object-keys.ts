import { allOf, keywordsOf, matches } from './rule.js';
import { isNode, nodeMap, type SchemaNode } from './schema-node.js';
import type { Branch } from './split-schema.js';

/** The keys that a branch declares. */
export function declaredKeys({ nodes }: Branch): ReadonlySet<string> {
  return new Set(nodes.flatMap((node) => [...nodeMap(node['properties']).keys()]));
}

export function requiredKeys(branch: Branch): ReadonlySet<string> {
  const keys: readonly unknown[] = keywordsOf(branch, 'required').flat();
  return new Set(keys.filter((key) => typeof key === 'string'));
}

/** What a branch says of the value of one key; false: it cannot be there. */
export function propertyOf({ nodes }: Branch, key: string): SchemaNode {
  return allOf(
    nodes.flatMap((node) => {
      const declared = nodeMap(node['properties']).get(key);
      const patterns = [...nodeMap(node['patternProperties'])].map(([pattern, schema]) => ({
        schema,
        isMatch: matches(pattern, key),
      }));
      const told = [
        ...(declared === undefined ? [] : [declared]),
        ...patterns.filter(({ isMatch }) => isMatch === true).map(({ schema }) => schema),
      ];
      // a pattern that cannot be read may be one for this key
      if (told.length > 0 || patterns.some(({ isMatch }) => isMatch === null)) return told;
      return isNode(node['additionalProperties']) ? [node['additionalProperties']] : [];
    }),
  );
}

/** What can be the value of a key that is not declared, as each node for itself says; `pattern`: of keys that match it. */
export function undeclared({ nodes }: Branch): readonly (readonly { pattern: string | null; schema: SchemaNode }[])[] {
  const told = nodes.map((node) => [
    ...[...nodeMap(node['patternProperties'])].map(([pattern, schema]) => ({ pattern, schema })),
    { pattern: null, schema: isNode(node['additionalProperties']) ? node['additionalProperties'] : true },
  ]);
  return told.length === 0 ? [[{ pattern: null, schema: true }]] : told;
}

/** The keys of the narrowest node that takes no others; null: there is none. */
export function closedKeys({ nodes }: Branch): readonly string[] | null {
  const closed = nodes
    .filter((node) => node['additionalProperties'] === false && nodeMap(node['patternProperties']).size === 0)
    .map((node) => [...nodeMap(node['properties']).keys()]);
  return closed.sort((a, b) => a.length - b.length)[0] ?? null;
}
