import { canonicalJson } from './canonical-json.js';
import { allowedTypes, type JsonType, nodesOf, resolveRef, type SchemaNode, typeOf } from './schema-node.js';

/**
 * Values of one type that fit all `nodes`, none of which refers or branches any more. `value`: there is only this one.
 */
export interface Branch {
  readonly type: JsonType;
  readonly nodes: readonly { readonly [keyword: string]: unknown }[];
  readonly value?: unknown;
  readonly hasValue: boolean;
}

type Conjunction = readonly { readonly [keyword: string]: unknown }[];

const MAX_BRANCHES = 512;
const MAX_DEPTH = 60;

/**
 * A schema as branches by type, and by value where it enumerates them. Each of its values is in one of them; what is
 * not understood is left out, so that they may hold more. null: there are too many, or it refers to itself only.
 */
export function splitSchema(node: SchemaNode, root: SchemaNode): readonly Branch[] | null {
  const conjunctions = expand(node, root, 0);
  if (conjunctions === null) return null;
  const branches = conjunctions.flatMap(byType);
  return branches.length > MAX_BRANCHES ? null : branches;
}

function expand(node: SchemaNode, root: SchemaNode, depth: number): readonly Conjunction[] | null {
  if (depth > MAX_DEPTH) return null;
  if (typeof node === 'boolean') return node ? [[]] : [];
  const { $ref, allOf, anyOf, oneOf, ...own } = node;
  const referred = $ref === undefined ? undefined : resolveRef($ref, root);
  const parts: (readonly SchemaNode[])[] = [
    ...(referred === undefined ? [] : [[referred]]),
    ...nodesOf(allOf).map((part) => [part]),
    ...[anyOf, oneOf].map(nodesOf).filter((part) => part.length > 0),
  ];
  let all: readonly Conjunction[] = [Object.keys(own).length === 0 ? [] : [own]];
  for (const part of parts) {
    const choices: Conjunction[] = [];
    for (const choice of part) {
      const expanded = expand(choice, root, depth + 1);
      if (expanded === null) return null;
      choices.push(...expanded);
    }
    if (all.length * choices.length > MAX_BRANCHES) return null;
    all = all.flatMap((left) => choices.map((right) => [...left, ...right]));
  }
  return all;
}

function byType(nodes: Conjunction): Branch[] {
  const values = enumerate(nodes);
  const allows = (type: JsonType): boolean => nodes.every((node) => allowedTypes(node['type']).has(type));
  if (values !== null)
    return values
      .map((value) => ({ type: typeOf(value), nodes: [...nodes, ...spell(value)], value, hasValue: true }))
      .filter(({ type }) => allows(type));
  return [...allowedTypes(undefined)].filter(allows).flatMap((type): Branch[] => {
    if (type === 'null') return [{ type, nodes, value: null, hasValue: true }];
    if (type === 'boolean') return [true, false].map((value) => ({ type, nodes, value, hasValue: true }));
    return [{ type, nodes, hasValue: false }];
  });
}

/** The values that are left; null: they are not enumerated. */
function enumerate(nodes: Conjunction): readonly unknown[] | null {
  let left: ReadonlyMap<string, unknown> | null = null;
  for (const node of nodes) {
    for (const values of [node['enum'], 'const' in node ? [node['const']] : undefined]) {
      if (!Array.isArray(values)) continue;
      const given = new Map(values.map((value: unknown) => [canonicalJson(value), value]));
      left = left === null ? given : both(left, given);
    }
  }
  return left === null ? null : [...left.values()];
}

function both(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  return new Map([...one].filter(([key]) => other.has(key)));
}

/** One value of several parts as a schema that takes it and nothing else. */
function spell(value: unknown): Conjunction {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const prefixItems = value.map((item: unknown) => ({ const: item }));
    return [{ prefixItems, items: false, minItems: value.length, maxItems: value.length }];
  }
  const properties = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, { const: item as unknown }]));
  return [{ properties, required: Object.keys(value), additionalProperties: false }];
}
