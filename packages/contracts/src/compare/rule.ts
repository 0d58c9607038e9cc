import type { Containment } from './containment.js';
import type { SchemaNode } from './schema-node.js';
import type { Branch } from './split-schema.js';

type ObjectNode = Exclude<SchemaNode, boolean>;

/** What a rule may ask for the parts of a value. */
export interface Parts {
  /** Whether what the one schema says of a part fits what the other one says of it; `name` is of the part. */
  contains(one: SchemaNode, other: SchemaNode, name: string): Containment;
  readonly pointer: string;
}

/** Whether all values of a branch fit one keyword, with the value `given`, of the schema `node`. */
export type Rule = (branch: Branch, given: unknown, node: ObjectNode, parts: Parts) => Containment;

/** The values that a keyword has in the nodes of a branch. */
export function keywordsOf(branch: Branch, keyword: string): readonly unknown[] {
  return branch.nodes.flatMap((node) => (Object.hasOwn(node, keyword) ? [node[keyword]] : []));
}

/** The highest of the lower limits, or the lowest of the upper ones. */
export function numbersOf(branch: Branch, keyword: string): readonly number[] {
  return keywordsOf(branch, keyword).filter((value): value is number => typeof value === 'number');
}

/** All nodes at once as one schema. */
export function allOf(nodes: readonly SchemaNode[]): SchemaNode {
  const asking = nodes.filter((node) => node !== true);
  if (asking.includes(false)) return false;
  return asking.length <= 1 ? (asking[0] ?? true) : { allOf: asking };
}

export function matches(pattern: string, text: string): boolean | null {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return null;
  }
}
