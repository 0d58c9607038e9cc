import { isAnnotation, isObject, nodeMap, nodesOf, resolveRef, type SchemaNode } from '../compare/schema-node.js';
import type { JsonSchema } from '../describe-schema.js';
import type { PathParts } from './sensitive-path.js';

const MAX_NODES = 1_000;

/** The schemas that a value at a path may have; none: the schema has no such path. */
export interface FoundAtPath {
  readonly nodes: readonly SchemaNode[];
  /** Where nothing was found: the names that there are instead of the first one that leads nowhere. */
  readonly names: readonly string[];
}

/** What a JSON Schema says about the values at a path, through references and branches. */
export function findAtPath(schema: JsonSchema, parts: PathParts): FoundAtPath {
  let nodes: readonly SchemaNode[] = expand([schema], schema);
  for (const part of parts) {
    const next = expand(
      nodes.flatMap((node) => step(node, part)),
      schema,
    );
    if (next.length === 0) return { nodes: [], names: nodes.flatMap(namesOf) };
    nodes = next;
  }
  return { nodes, names: [] };
}

function step(node: SchemaNode, part: string): readonly SchemaNode[] {
  // takes everything, and so every path
  if (typeof node === 'boolean') return node ? [true] : [];
  if (Object.keys(node).every(isAnnotation)) return [true];
  const named = nodeMap(node['properties']).get(part);
  if (named !== undefined) return [named];
  const elements = [...nodesOf(node['prefixItems']), ...nodesOf([node['items']])];
  const others = [...nodesOf([node['additionalProperties']]), ...nodeMap(node['patternProperties']).values()];
  if (part === '*') return [...elements, ...others].filter((one) => one !== false);
  return others.filter((one) => one !== false);
}

/** A node beside what it refers to and branches into. */
function expand(nodes: readonly SchemaNode[], root: JsonSchema): readonly SchemaNode[] {
  const all = new Set<SchemaNode>();
  const waiting = [...nodes];
  for (let node = waiting.pop(); node !== undefined && all.size < MAX_NODES; node = waiting.pop()) {
    if (all.has(node)) continue;
    all.add(node);
    if (!isObject(node)) continue;
    const referred = node['$ref'] === undefined ? undefined : resolveRef(node['$ref'], root);
    if (referred !== undefined) waiting.push(referred);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) waiting.push(...nodesOf(node[keyword]));
    waiting.push(...nodesOf([node['then'], node['else']]));
  }
  return [...all];
}

function namesOf(node: SchemaNode): readonly string[] {
  if (typeof node === 'boolean') return [];
  const hasOthers = 'items' in node || 'prefixItems' in node || 'additionalProperties' in node;
  return [...nodeMap(node['properties']).keys(), ...(hasOthers && node['additionalProperties'] !== false ? ['*'] : [])];
}
